/** What can wait until the user sees what is there. */

/** A page in the background draws no frames; what waits for one goes on after this. */
const NO_FRAME_MS = 500;

/** Runs something behind the next frame. */
export function behindFrame(act: () => void): void {
  const next = (): void => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    // A task of its own: until then the frame is only computed.
    setTimeout(act);
  };
  const frame = requestAnimationFrame(next);
  const timer = setTimeout(next, NO_FRAME_MS);
}
