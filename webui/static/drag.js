// Lets the director drag checkers on the board page; a tap works there without this.
(function () {
  "use strict";
  let origin = null;
  let dragged = false;

  const spotAt = (x, y) => document.elementFromPoint(x, y)?.closest("a.spot");

  function show(address, focus) {
    htmx
      .ajax("GET", address, { target: "#editor", select: "#editor", swap: "outerHTML" })
      .then(() => document.querySelector(`a.spot[data-place="${focus}"]`)?.focus({ preventScroll: true }));
  }

  document.addEventListener("pointerdown", function (event) {
    origin = event.target.closest?.("a.spot") ?? null;
    dragged = false;
    if (origin) event.target.releasePointerCapture?.(event.pointerId);
  });
  document.addEventListener("pointerup", function (event) {
    const target = origin && spotAt(event.clientX, event.clientY);
    if (target && target !== origin) {
      dragged = true;
      const here = document.getElementById("editor").dataset.here;
      show(`${here}&from=${origin.dataset.place}&to=${target.dataset.place}`, target.dataset.place);
    }
    origin = null;
  });
  document.addEventListener("click", function (event) {
    const spot = event.target.closest?.("a.spot");
    if (!spot) return;
    event.preventDefault();
    if (!dragged) show(spot.getAttribute("href"), spot.dataset.place);
    dragged = false;
  });
  document.addEventListener("dragstart", (event) => event.preventDefault());
})();
