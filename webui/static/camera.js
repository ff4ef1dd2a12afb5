// Renews the camera picture, one request at a time.
(function () {
  "use strict";
  const picture = document.getElementById("camera");
  const missing = document.getElementById("camera-missing");
  const every = Number(picture.dataset.everyMs);
  const address = picture.getAttribute("src");
  let count = 0;

  function next() {
    setTimeout(function () {
      count += 1;
      picture.src = address + "?n=" + count;
    }, every);
  }

  function tell(there) {
    picture.hidden = !there;
    missing.hidden = there;
    next();
  }

  picture.addEventListener("load", function () { tell(true); });
  picture.addEventListener("error", function () { tell(false); });
  if (picture.complete) tell(picture.naturalWidth > 0);
})();
