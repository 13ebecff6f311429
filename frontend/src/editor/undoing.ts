/** Undo of an editor whose text is a copy of its own; a shared text has its own undo. */
import { history, historyKeymap } from "@codemirror/commands";
import type { Extension } from "@codemirror/state";
import { keymap } from "@codemirror/view";

export const undoing: Extension = [history(), keymap.of(historyKeymap)];
