/** What is pasted: a whole text over the heading of a new document, an address over words. */
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { ADDRESS } from "./formatting";

const ONLY_HEADING = /^# [^\n]*\s*$/u;
const BEGINS_WITH_HEADING = /^\s*# \S/u;

export const pasting: Extension = EditorView.domEventHandlers({
  paste(event, view) {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    return !view.state.readOnly && (pasteText(view, text) || pasteAddress(view, text.trim()));
  },
});

/** A text with a heading of its own takes the place of the one that a new document begins with. */
export function pasteText(view: EditorView, text: string): boolean {
  const { doc } = view.state;
  const isNew = doc.lines < 5 && ONLY_HEADING.test(doc.toString());
  if (!isNew || !BEGINS_WITH_HEADING.test(text)) return false;
  const insert = text.replace(/\r\n?/gu, "\n").trimStart();
  view.dispatch({
    changes: { from: 0, to: doc.length, insert },
    selection: { anchor: insert.length },
    scrollIntoView: true,
    userEvent: "input.paste",
  });
  return true;
}

/** The selected words lead to the address. */
export function pasteAddress(view: EditorView, address: string): boolean {
  const { from, to, empty } = view.state.selection.main;
  const words = view.state.sliceDoc(from, to);
  if (empty || !ADDRESS.test(address) || ADDRESS.test(words) || words.includes("\n")) return false;
  const insert = `[${words}](${address})`;
  view.dispatch({
    changes: { from, to, insert },
    selection: { anchor: from + insert.length },
    userEvent: "input.paste",
  });
  return true;
}
