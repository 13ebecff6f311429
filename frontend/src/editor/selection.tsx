/** A small bar above selected words: what one can do with them. */
import { type EditorState, type Extension, StateField } from "@codemirror/state";
import { keymap, showTooltip, type EditorView, type Tooltip } from "@codemirror/view";
import { editorWords } from "./words";

export interface SelectionActions {
  comment(): void;
  suggest(): void;
  isAllowed(): boolean;
}

export function selectionBar(actions: SelectionActions): Extension {
  const bar = StateField.define<readonly Tooltip[]>({
    create: (state) => tooltips(state, actions),
    update(shown, transaction) {
      const isSame = !transaction.docChanged && !transaction.selection;
      return isSame ? shown : tooltips(transaction.state, actions);
    },
    provide: (field) => showTooltip.computeN([field], (state) => state.field(field)),
  });
  const keys = keymap.of([
    { key: "Mod-Alt-m", run: (view) => withSelection(view, actions.comment) },
    { key: "Mod-Alt-s", run: (view) => withSelection(view, actions.suggest) },
  ]);
  return [bar, keys];
}

function tooltips(state: EditorState, actions: SelectionActions): readonly Tooltip[] {
  const { empty, from } = state.selection.main;
  if (empty || !actions.isAllowed()) return [];
  return [
    {
      pos: from,
      above: true,
      strictSide: false,
      arrow: false,
      create: () => ({ dom: barOf(actions) }),
    },
  ];
}

function barOf(actions: SelectionActions): HTMLElement {
  const words = editorWords();
  const bar = document.createElement("div");
  bar.className = "selection-bar";
  bar.setAttribute("role", "toolbar");
  bar.setAttribute("aria-label", words.selected);
  bar.append(
    button(words.comment, words.commentKeys, actions.comment),
    button(words.suggest, words.suggestKeys, actions.suggest),
  );
  // Pressing a button must not take the selection away that it is about.
  bar.addEventListener("mousedown", (event) => event.preventDefault());
  return bar;
}

function button(label: string, title: string, act: () => void): HTMLButtonElement {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = label;
  made.title = title;
  made.addEventListener("click", act);
  return made;
}

function withSelection(view: EditorView, act: () => void): boolean {
  if (view.state.selection.main.empty) return false;
  act();
  return true;
}
