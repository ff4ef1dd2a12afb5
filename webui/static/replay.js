// The slider and the arrow keys of the replay; the links work without this.
(function () {
  "use strict";
  const slider = () => document.getElementById("at");
  let timer = null;

  function show(address, focus) {
    htmx.ajax("GET", address, { target: "#editor", select: "#editor", swap: "outerHTML" }).then(() => focus && slider().focus());
  }
  function toSlider() {
    show("/matches/replay?" + new URLSearchParams(new FormData(slider().form)), true);
  }

  document.addEventListener("input", function (event) {
    if (event.target !== slider()) return;
    clearTimeout(timer);
    timer = setTimeout(toSlider, 120);
  });
  document.addEventListener("click", function (event) {
    const link = event.target.closest?.("#editor a[rel]");
    if (!link) return;
    event.preventDefault();
    show(link.getAttribute("href"), false);
  });
  document.addEventListener("keydown", function (event) {
    if (event.target.matches("input, select, textarea") || event.altKey || event.ctrlKey || event.metaKey) return;
    const rel = { ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last" }[event.key];
    const link = rel && document.querySelector(`#editor a[rel="${rel}"]`);
    if (!link) return;
    event.preventDefault();
    link.click();
  });
})();
