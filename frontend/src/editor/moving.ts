/** The keys that move the caret, select and delete, and those that continue a list. */
import { standardKeymap } from "@codemirror/commands";
import { markdownKeymap } from "@codemirror/lang-markdown";
import { Prec } from "@codemirror/state";
import { type EditorView, keymap } from "@codemirror/view";
import { rowsOf } from "./preview/cells";
import { drawnTable } from "./preview/tables";

/** Behind every other key: a list of completions takes Enter first, a table takes Tab. */
export const moving = Prec.low(
  keymap.of([
    { key: "ArrowDown", run: (view) => enterTable(view, true) },
    { key: "ArrowUp", run: (view) => enterTable(view, false) },
    ...markdownKeymap,
    ...standardKeymap,
  ]),
);

/** Goes into a drawn table instead of over it: its source opens, and can be changed by keys. */
function enterTable(view: EditorView, isDown: boolean): boolean {
  const { state } = view;
  const { main } = state.selection;
  if (!main.empty || state.readOnly) return false;
  const line = state.doc.lineAt(main.head);
  const target = view.moveVertically(main, isDown).head;
  // Within a line of several rows.
  if (target !== main.head && target >= line.from && target <= line.to) return false;
  const [from, to] = isDown
    ? [line.to, Math.max(target, Math.min(line.to + 1, state.doc.length))]
    : [Math.min(target, Math.max(line.from - 1, 0)), line.from];
  const table = drawnTable(state, { from, to }, isDown);
  if (!table) return false;
  const rows = rowsOf(state.sliceDoc(table.from, table.to));
  const cell = (isDown ? rows[0] : rows.at(-1))?.cells[0];
  view.dispatch({
    selection: { anchor: table.from + (cell?.from ?? 0) },
    scrollIntoView: true,
    userEvent: "select",
  });
  return true;
}
