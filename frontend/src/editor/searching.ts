/** Finding words in the text: loaded when the user first asks for it. */
import { openSearchPanel, search, searchKeymap } from "@codemirror/search";
import { StateEffect } from "@codemirror/state";
import { keymap, type EditorView } from "@codemirror/view";

const prepared = new WeakSet<EditorView>();

export function openSearch(view: EditorView): void {
  if (!prepared.has(view)) {
    prepared.add(view);
    const parts = [search({ top: true }), keymap.of(searchKeymap)];
    view.dispatch({ effects: StateEffect.appendConfig.of(parts) });
  }
  openSearchPanel(view);
}
