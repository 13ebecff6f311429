/** Lets every line begin on the side where its own script begins. */
import { type Extension, RangeSetBuilder } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  EditorView,
  ViewPlugin,
  type ViewUpdate,
} from "@codemirror/view";

const byItsScript = Decoration.line({ attributes: { dir: "auto" } });

class Directions {
  drawn: DecorationSet;

  constructor(view: EditorView) {
    this.drawn = visibleLines(view);
  }

  update(update: ViewUpdate): void {
    if (update.docChanged || update.viewportChanged) this.drawn = visibleLines(update.view);
  }
}

export const lineDirections: Extension = [
  EditorView.perLineTextDirection.of(true),
  ViewPlugin.fromClass(Directions, { decorations: (directions) => directions.drawn }),
];

function visibleLines(view: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const { from, to } of view.visibleRanges) {
    for (let at = from; at <= to;) {
      const line = view.state.doc.lineAt(at);
      builder.add(line.from, line.from, byItsScript);
      at = line.to + 1;
    }
  }
  return builder.finish();
}
