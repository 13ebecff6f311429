/** What is completed while one writes: titles behind `[[`, blocks behind `/`, names behind `@`. */
import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
  startCompletion,
} from "@codemirror/autocomplete";
import type { Extension } from "@codemirror/state";
import { type EditorView, keymap } from "@codemirror/view";
import { editorWords } from "./words";

export interface Sources {
  /** Titles of documents that fit some words. */
  titles(words: string): Promise<string[]>;
  /** Names of users who may be spoken to here. */
  names(): readonly string[];
}

export function completing(sources: Sources): Extension {
  const override = [
    (context: CompletionContext) => titles(context, sources),
    blocks,
    (context: CompletionContext) => names(context, sources),
  ];
  return [
    autocompletion({ override, icons: false, defaultKeymap: false }),
    keymap.of(completionKeymap),
  ];
}

async function titles(
  context: CompletionContext,
  sources: Sources,
): Promise<CompletionResult | null> {
  const typed = context.matchBefore(/\[\[[^[\]\n|]*$/u);
  if (!typed) return null;
  const found = await sources.titles(typed.text.slice(2)).catch(() => []);
  const options = found.map((title) => ({ label: title, apply: linked }));
  // What fits is decided by the server, which knows titles in any script.
  return { from: typed.from + 2, options, filter: false };
}

/** Puts a title in, and the brackets behind it unless they are there. */
function linked(view: EditorView, { label }: Completion, from: number, to: number): void {
  const isClosed = view.state.sliceDoc(to, to + 2) === "]]";
  const insert = isClosed ? label : `${label}]]`;
  const anchor = from + label.length + 2;
  view.dispatch({ changes: { from, to, insert }, selection: { anchor }, userEvent: "input" });
}

function names(context: CompletionContext, sources: Sources): CompletionResult | null {
  const typed = context.matchBefore(/(?<=^|[\s([])@[\p{L}\p{N}_.-]*$/u);
  if (!typed) return null;
  const options = sources.names().map((name) => ({ label: `@${name}`, apply: `@${name} ` }));
  return options.length > 0 ? { from: typed.from, options } : null;
}

function blocks(context: CompletionContext): CompletionResult | null {
  const typed = context.matchBefore(/(?<=^\s*)\/[\p{L}\p{N} ]*$/u);
  if (!typed) return null;
  const choices = blockChoices();
  const options = choices.map(([label, text, back = 0], index) => ({
    label: `/${label}`,
    displayLabel: label,
    // In the order of the list, not of the alphabet.
    boost: choices.length - index,
    apply: block(text, back),
  }));
  return { from: typed.from, options };
}

/** Names, texts, and how far the caret is before the end of the text. */
function blockChoices(): [string, string, number?][] {
  const words = editorWords();
  const columns = [1, 2].map((number) => `${words.column} ${number}`).join(" | ");
  return [
    ...[1, 2, 3].map((level): [string, string] => [words.heading(level), `${"#".repeat(level)} `]),
    [words.bullets, "- "],
    [words.numbers, "1. "],
    [words.task, "- [ ] "],
    [words.quote, "> "],
    [words.code, "```\n\n```", 4],
    [words.table, `| ${columns} |\n| --- | --- |\n|  |  |`, 6],
    [words.rule, "---\n"],
    [words.link, "[["],
  ];
}

function block(text: string, back: number) {
  return (view: EditorView, _chosen: Completion, from: number, to: number): void => {
    const anchor = from + text.length - back;
    const changes = { from, to, insert: text };
    view.dispatch({ changes, selection: { anchor }, userEvent: "input" });
    if (text === "[[") startCompletion(view);
  };
}
