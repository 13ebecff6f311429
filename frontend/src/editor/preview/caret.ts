/** Where the caret is, and so where markdown is shown as it is written. */
import { type EditorState, StateEffect, StateField } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

const focusChanged = StateEffect.define<boolean>();

const focus = StateField.define<boolean>({
  create: () => false,
  update(before, transaction) {
    for (const effect of transaction.effects) if (effect.is(focusChanged)) return effect.value;
    return before;
  },
});

export const caret = [
  focus,
  EditorView.focusChangeEffect.of((_state, isFocused) => focusChanged.of(isFocused)),
];

/** Whether the caret or the selection touches a part of the text. A reader has no caret. */
export function isTouched(state: EditorState, from: number, to: number): boolean {
  if (state.readOnly || !state.field(focus, false)) return false;
  return state.selection.ranges.some((range) => range.from <= to && range.to >= from);
}

/** For tests: gives the editor the focus, without a page. */
export const focused = focusChanged.of(true);
