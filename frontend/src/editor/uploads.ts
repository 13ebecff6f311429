/** Pictures and files that are pasted or dropped go to the server; the text then shows them. */
import { type Extension, StateEffect, StateField } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tell, tellError } from "../parts/notices";
import { isKept } from "./uploads-types";
import { editorWords } from "./words";

/** Keeps a picture or a file with the document, and returns the markdown that shows it. */
export type Upload = (file: File) => Promise<string>;

interface Waiting {
  file: File;
  at: number;
}

const begun = StateEffect.define<Waiting>();
const ended = StateEffect.define<File>();

/** Where each file will be put in: the place follows what is typed meanwhile. */
const waiting = StateField.define<readonly Waiting[]>({
  create: () => [],
  update(before, { changes, effects }) {
    let now = before.map(({ file, at }) => ({ file, at: changes.mapPos(at) }));
    for (const effect of effects) {
      if (effect.is(begun)) now = [...now, effect.value];
      if (effect.is(ended)) now = now.filter(({ file }) => file !== effect.value);
    }
    return now;
  },
});

export function uploads(upload: Upload): Extension {
  const take = (view: EditorView, data: DataTransfer | null, at: number): boolean => {
    const files = [...(data?.files ?? [])];
    if (files.length === 0 || view.state.readOnly) return false;
    for (const file of files) void put(view, upload, { file, at });
    return true;
  };
  return [
    waiting,
    EditorView.domEventHandlers({
      paste(event, view) {
        // A table of a spreadsheet comes as text and as a picture of itself: the text is meant.
        if (event.clipboardData?.getData("text/plain")) return false;
        return take(view, event.clipboardData, view.state.selection.main.to);
      },
      drop(event, view) {
        const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
        const isTaken = take(view, event.dataTransfer, at ?? view.state.doc.length);
        if (isTaken) event.preventDefault();
        return isTaken;
      },
    }),
  ];
}

/** Sends a file that the user chose, and puts it where the caret is. */
export function putFile(view: EditorView, upload: Upload, file: File): Promise<void> {
  return put(view, upload, { file, at: view.state.selection.main.to });
}

async function put(view: EditorView, upload: Upload, given: Waiting): Promise<void> {
  const { file } = given;
  const words = editorWords();
  if (!isKept(file)) return tell(words.noUpload(file.name), { kind: "error" });
  tell(words.uploading(file.name));
  view.dispatch({ effects: begun.of(given) });
  try {
    const insert = await upload(file);
    const at = view.state.field(waiting).find((one) => one.file === file)?.at ?? given.at;
    view.dispatch({ changes: { from: at, insert }, userEvent: "input.paste" });
    tell(words.uploaded(file.name));
  } catch (error) {
    tellError(error);
  } finally {
    view.dispatch({ effects: ended.of(file) });
  }
}
