// Keeps the room page true when the live line is down: says so, and looks at the table by itself.
(function () {
  "use strict";
  const LOOK_EVERY_MS = 5000;
  const table = document.getElementById("table");
  const line = document.getElementById("line");
  const said = document.getElementById("said");
  let timer = null;
  let messages = 0;

  function show(text) {
    line.textContent = text;
    line.hidden = !text;
  }

  // The title and the spoken sentence live outside the part that is swapped.
  function retell() {
    const room = table.querySelector(".room");
    if (!room) return;
    document.title = room.dataset.title;
    if (said.textContent !== room.dataset.said) said.textContent = room.dataset.said;
  }

  async function look() {
    const before = messages;
    let html;
    try {
      const answer = await fetch(line.dataset.table, { cache: "no-store" });
      if (!answer.ok) throw new Error(String(answer.status));
      html = await answer.text();
    } catch {
      if (timer !== null) show(line.dataset.lost);
      return;
    }
    if (timer !== null) show(line.dataset.looking);
    // What the live line brought meanwhile is newer than this answer.
    if (before === messages) {
      htmx.swap(table, html, { swapStyle: "innerHTML" });
      retell();
    }
  }

  document.body.addEventListener("htmx:sseOpen", function () {
    if (timer === null) return;
    clearInterval(timer);
    timer = null;
    show("");
    look();
  });
  document.body.addEventListener("htmx:sseError", function () {
    if (timer !== null) return;
    show(line.dataset.lost);
    timer = setInterval(look, LOOK_EVERY_MS);
    look();
  });
  document.body.addEventListener("htmx:sseMessage", function () {
    messages += 1;
    retell();
  });
  document.addEventListener("visibilitychange", function () {
    if (!document.hidden) look();
  });
})();
