// Lets the corners of the board be dragged, or moved with the arrow keys; the numbers below work without this.
(function () {
  "use strict";
  const drawing = document.getElementById("corners");
  if (!drawing) return;
  const { width, height } = drawing.viewBox.baseVal;
  const corners = [...drawing.querySelectorAll(".corner")];
  const input = (axis, corner) => document.querySelector(`input[name="${axis}${corner.dataset.corner}"]`);
  const clamp = (value, most) => Math.max(0, Math.min(most - 1, Math.round(value)));
  const at = (corner) => ({ x: Number(input("x", corner).value), y: Number(input("y", corner).value) });
  let held = null;

  function draw() {
    const places = corners.map(at);
    drawing.querySelector("polygon").setAttribute("points", places.map((p) => `${p.x},${p.y}`).join(" "));
    corners.forEach(function (corner, k) {
      corner.setAttribute("transform", `translate(${places[k].x} ${places[k].y})`);
      corner.setAttribute("aria-valuetext", `${places[k].x}, ${places[k].y}`);
      corner.setAttribute("aria-valuenow", places[k].x);
    });
  }
  function put(corner, x, y) {
    input("x", corner).value = clamp(x, width);
    input("y", corner).value = clamp(y, height);
    draw();
  }
  const place = (event) => new DOMPoint(event.clientX, event.clientY).matrixTransform(drawing.getScreenCTM().inverse());

  corners.forEach(function (corner) {
    corner.setAttribute("tabindex", "0");
    corner.setAttribute("role", "slider");
    corner.setAttribute("aria-valuemin", "0");
    corner.setAttribute("aria-valuemax", String(width - 1));
    corner.addEventListener("pointerdown", function (event) {
      const [p, c] = [place(event), at(corner)];
      held = { dx: c.x - p.x, dy: c.y - p.y };
      corner.setPointerCapture(event.pointerId);
      event.preventDefault();
      corner.focus();
    });
    corner.addEventListener("pointermove", function (event) {
      if (!held) return;
      const p = place(event);
      put(corner, p.x + held.dx, p.y + held.dy);
    });
    for (const end of ["pointerup", "pointercancel"]) corner.addEventListener(end, () => (held = null));
    corner.addEventListener("keydown", function (event) {
      const by = event.shiftKey ? 10 : 1;
      const step = { ArrowLeft: [-by, 0], ArrowRight: [by, 0], ArrowUp: [0, -by], ArrowDown: [0, by] }[event.key];
      if (!step) return;
      event.preventDefault();
      const c = at(corner);
      put(corner, c.x + step[0], c.y + step[1]);
    });
  });
  document.querySelectorAll("details input").forEach((one) => one.addEventListener("input", draw));
  draw();
})();
