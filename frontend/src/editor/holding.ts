/**
 * Keeps in sight what the editor was asked to bring there, until the user moves.
 *
 * Lines that were not drawn yet have estimated heights. When they get their real ones, when a
 * picture arrives above, or something appears beside the text, the place would leave the screen
 * again, however late that is.
 */
import { EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";

/** The bar covers the top of the text, so a place just below the edge is hidden. */
export const UNDER_THE_BAR = { top: 72, bottom: 48 };

const OWN_MOVES = ["wheel", "touchstart", "pointerdown", "keydown"];

type Place = Parameters<typeof EditorView.scrollIntoView>;
type Range = Exclude<Place[0], number>;

class Holding {
  private range: Range | null = null;
  private options: Place[1];
  /** How high the text was when the place was last in sight. */
  private height = 0;
  private readonly stop = new AbortController();

  constructor(private readonly view: EditorView) {
    const listening = { capture: true, passive: true, signal: this.stop.signal };
    for (const move of OWN_MOVES) addEventListener(move, () => (this.range = null), listening);
    addEventListener("scroll", () => this.scrolled(), listening);
    const resized = new ResizeObserver(() => requestAnimationFrame(() => this.look()));
    this.stop.signal.onabort = () => resized.disconnect();
    // Whatever grows around the text is in one of these.
    let around: Element | null = view.contentDOM;
    for (; around; around = around.parentElement) resized.observe(around);
  }

  hold(range: Range, options: Place[1]): void {
    this.range = range;
    this.options = options;
    this.height = this.view.contentDOM.offsetHeight;
  }

  update({ changes }: ViewUpdate): void {
    this.range = this.range && this.range.map(changes);
  }

  destroy(): void {
    this.range = null;
    this.stop.abort();
  }

  /** Find in page and screen readers scroll without a key: then nothing has grown. */
  private scrolled(): void {
    if (this.height === this.view.contentDOM.offsetHeight && this.isLost()) this.range = null;
  }

  private look(): void {
    const { range, view } = this;
    if (!range) return;
    if (this.isLost()) view.dispatch({ effects: EditorView.scrollIntoView(range, this.options) });
    else this.height = view.contentDOM.offsetHeight;
  }

  private isLost(): boolean {
    const seen = this.range && this.view.coordsAtPos(this.range.head);
    const { top, bottom } = UNDER_THE_BAR;
    return !seen || seen.bottom < top || seen.top > innerHeight - bottom;
  }
}

export const holding = ViewPlugin.fromClass(Holding, {
  provide: (plugin) =>
    EditorView.scrollHandler.of((view, range, options) => {
      view.plugin(plugin)?.hold(range, options);
      return false;
    }),
});
