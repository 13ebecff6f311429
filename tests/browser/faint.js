// Text whose contrast with what lies behind it is below 4.5, as the guidelines for the web ask.
() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });

  function rgba(colour) {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  }

  function over(top, under) {
    const share = top[3] / 255;
    return top.slice(0, 3).map((part, index) => part * share + under[index] * (1 - share));
  }

  function behind(node) {
    const layers = [];
    for (let one = node; one; one = one.parentElement) {
      layers.push(rgba(getComputedStyle(one).backgroundColor));
    }
    return layers.reverse().reduce((under, top) => over(top, under), [255, 255, 255]);
  }

  function light(colour) {
    const [red, green, blue] = colour
      .map((part) => part / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  }

  function contrastOf(node) {
    const ground = behind(node);
    const ink = over(rgba(getComputedStyle(node).color), ground);
    const [brighter, darker] = [light(ink), light(ground)].sort((a, b) => b - a);
    return (brighter + 0.05) / (darker + 0.05);
  }

  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const words = walker.currentNode.data.trim();
    const node = walker.currentNode.parentElement;
    const isSeen = words && node.checkVisibility() && !node.closest(".sr-only, noscript");
    if (isSeen && contrastOf(node) < 4.5) found.push(`${words}: ${contrastOf(node).toFixed(2)}`);
  }
  return found;
}
