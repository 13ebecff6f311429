/** The keys that move the caret, select and delete, and those that continue a list. */
import { standardKeymap } from "@codemirror/commands";
import { markdownKeymap } from "@codemirror/lang-markdown";
import { Prec } from "@codemirror/state";
import { keymap } from "@codemirror/view";

/** Behind every other key: a list of completions takes Enter first, a table takes Tab. */
export const moving = Prec.low(keymap.of([...markdownKeymap, ...standardKeymap]));
