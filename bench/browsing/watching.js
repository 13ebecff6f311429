// What the benchmark asks of a page: when something is on the screen, and what a key costs.
window.bench = {
  /** Resolves with the time at which `holds` is true and the frame that shows it was drawn. */
  shown(holds) {
    return new Promise((resolve, reject) => {
      const tooLate = setTimeout(() => reject(new Error(`not shown: ${holds}`)), 30_000);
      const look = () => {
        if (!holds()) return;
        clearTimeout(tooLate);
        observer.disconnect();
        bench.drawn().then(resolve);
      };
      const observer = new MutationObserver(look);
      const all = { childList: true, subtree: true, characterData: true, attributes: true };
      observer.observe(document, all);
      look();
    });
  },
  /** Resolves when the next frame was drawn. */
  drawn() {
    return new Promise((resolve) =>
      requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => resolve(performance.now());
        channel.port2.postMessage(0);
      }),
    );
  },
  /** Notes for each key how long the page works until its frame is ready; waits do not count. */
  listen(costs) {
    addEventListener(
      "keydown",
      () => {
        const began = performance.now();
        const channel = new MessageChannel();
        channel.port1.onmessage = () => {
          const worked = performance.now() - began;
          requestAnimationFrame(() => {
            const frame = performance.now();
            const after = new MessageChannel();
            after.port1.onmessage = () => costs.push(worked + performance.now() - frame);
            after.port2.postMessage(0);
          });
        };
        // Behind the events that the key causes: those come before any message.
        channel.port2.postMessage(0);
      },
      { capture: true },
    );
  },
};
