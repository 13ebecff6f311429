// What can be used and says nothing of itself to those who do not see it.
() =>
  [...document.querySelectorAll("button, a, input, textarea")]
    .filter((one) => one.checkVisibility())
    .filter((one) => !(one.ariaLabel || one.textContent.trim()))
    .map((one) => one.outerHTML)
