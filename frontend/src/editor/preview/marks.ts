/** What is drawn in place of markdown's own marks, part by part of the text in sight. */
import { syntaxTree } from "@codemirror/language";
import type { EditorState, Range } from "@codemirror/state";
import { Decoration, type WidgetType } from "@codemirror/view";
import type { SyntaxNodeRef } from "@lezer/common";
import { titleOf } from "../markdown";
import { isTouched } from "./caret";
import { padding, rowsOf } from "./cells";
import { Bullet, Checkbox, Language, Padding, Rule } from "./widgets";
import { Picture } from "./picture";

type Drawn = Range<Decoration>[];
type Draw = (state: EditorState, node: SyntaxNodeRef, into: Drawn) => void;

const hidden = Decoration.replace({});
const line = (name: string): Decoration => Decoration.line({ class: name });
const HEADINGS = [1, 2, 3, 4, 5, 6].map((level) => line(`cm-h cm-h${level}`));
const QUOTE = line("cm-quote");
const CODE = line("cm-code");
const CODE_FIRST = line("cm-code cm-code-first");
const CODE_LAST = line("cm-code cm-code-last");
const TABLE = line("cm-table-source");

/** Draws a part of the text. */
export function marksOf(state: EditorState, from: number, to: number): Drawn {
  const into: Drawn = [];
  syntaxTree(state).iterate({
    from,
    to,
    enter(node) {
      DRAWS[node.name]?.(state, node, into);
      return node.name !== "Image" && node.name !== "Table";
    },
  });
  return into;
}

const heading: Draw = (state, node, into) => {
  const level = Number(node.name.at(-1)) - 1;
  into.push(HEADINGS[level]!.range(state.doc.lineAt(node.from).from));
};

/** Hides a mark unless the caret touches what it belongs to. */
const mark: Draw = (state, node, into) => {
  const owner = node.node.parent;
  if (owner?.name === "FencedCode" || node.from === node.to) return;
  if (!isTouched(state, owner?.from ?? node.from, owner?.to ?? node.to)) {
    into.push(hidden.range(node.from, node.to));
  }
};

/** Hides the hashes of a heading, and the blank behind them. */
const hashes: Draw = (state, node, into) => {
  const { from, to } = state.doc.lineAt(node.from);
  if (isTouched(state, from, to)) return;
  const blank = state.sliceDoc(node.to, Math.min(node.to + 1, to)) === " " ? 1 : 0;
  const isClosing = node.from > from && node.node.prevSibling !== null;
  if (isClosing) into.push(hidden.range(node.from, node.to));
  else into.push(hidden.range(node.from, node.to + blank));
};

const quoted: Draw = (state, node, into) => {
  const { from, to } = state.doc.lineAt(node.from);
  into.push(QUOTE.range(from));
  if (isTouched(state, from, to)) return;
  const blank = state.sliceDoc(node.to, Math.min(node.to + 1, to)) === " " ? 1 : 0;
  into.push(hidden.range(node.from, node.to + blank));
};

const bullet: Draw = (state, node, into) => {
  const mark = state.sliceDoc(node.from, node.to);
  if (/\d/u.test(mark) || isTouched(state, node.from, node.to)) return;
  const isTask = /^\s\[[ xX]\]\s/u.test(state.sliceDoc(node.to, node.to + 5));
  const widget = isTask ? {} : { widget: new Bullet() };
  into.push(Decoration.replace(widget).range(node.from, isTask ? node.to + 1 : node.to));
};

const task: Draw = (state, node, into) => {
  if (isTouched(state, node.from, node.to)) return;
  const isDone = /x/iu.test(state.sliceDoc(node.from, node.to));
  into.push(instead(new Checkbox(isDone, state.readOnly), node));
};

const code: Draw = (state, node, into) => {
  const first = state.doc.lineAt(node.from);
  const last = state.doc.lineAt(node.to);
  for (let number = first.number; number <= last.number; number++) {
    const look = number === first.number ? CODE_FIRST : number === last.number ? CODE_LAST : CODE;
    into.push(look.range(state.doc.line(number).from));
  }
  if (node.name !== "FencedCode" || isTouched(state, node.from, node.to)) return;
  const info = node.node.getChild("CodeInfo");
  const language = info ? state.sliceDoc(info.from, info.to) : "";
  into.push(instead(new Language(language), { from: node.from, to: first.to }));
  const isClosed = node.node.getChildren("CodeMark").length > 1;
  const start = last.from + (/^\s*/u.exec(last.text)?.[0].length ?? 0);
  if (isClosed && start < last.to) into.push(hidden.range(start, last.to));
};

const rule: Draw = (state, node, into) => {
  if (!isTouched(state, node.from, node.to)) into.push(instead(new Rule(), node));
};

/** A picture takes the place of its source; while the source is edited it is below it. */
const image: Draw = (state, node, into) => {
  const url = node.node.getChild("URL");
  if (!url) return;
  const source = state.sliceDoc(url.from, url.to);
  const alt = /^!\[([^\]]*)\]/u.exec(state.sliceDoc(node.from, node.to))?.[1] ?? "";
  const widget = new Picture(source, alt);
  if (isTouched(state, node.from, node.to)) {
    into.push(Decoration.widget({ widget, side: 1 }).range(node.to));
  } else into.push(instead(widget, node));
};

const link: Draw = (state, node, into) => {
  const url = node.node.getChild("URL");
  const source = state.sliceDoc(node.from, node.to);
  const to = url ? state.sliceDoc(url.from, url.to) : `[[${titleOf(source)}]]`;
  if (to === "[[]]") return;
  const attributes = { "data-to": to };
  into.push(Decoration.mark({ class: "cm-link", attributes }).range(node.from, node.to));
};

const address: Draw = (state, node, into) => {
  const owner = node.node.parent?.name ?? "";
  if (owner === "Link") return mark(state, node, into);
  const to = state.sliceDoc(node.from, node.to);
  const look = Decoration.mark({ class: "cm-link", attributes: { "data-to": to } });
  into.push(look.range(node.from, node.to));
};

const linkMark: Draw = (state, node, into) => {
  // Brackets without an address are brackets.
  const owner = node.node.parent;
  if (owner?.name === "Link" && !owner.getChild("URL")) return;
  mark(state, node, into);
};

const escape: Draw = (state, node, into) => {
  if (!isTouched(state, node.from, node.to)) into.push(hidden.range(node.from, node.from + 1));
};

/** The source of a table that is open: its bars stand below each other. */
const table: Draw = (state, node, into) => {
  if (!isTouched(state, node.from, node.to)) return;
  const rows = rowsOf(state.sliceDoc(node.from, node.to));
  for (const row of rows) into.push(TABLE.range(state.doc.lineAt(node.from + row.from).from));
  for (const { at, count } of padding(rows)) {
    into.push(Decoration.widget({ widget: new Padding(count), side: 1 }).range(node.from + at));
  }
};

const DRAWS: Record<string, Draw> = {
  ATXHeading1: heading,
  ATXHeading2: heading,
  ATXHeading3: heading,
  ATXHeading4: heading,
  ATXHeading5: heading,
  ATXHeading6: heading,
  HeaderMark: (state, node, into) => {
    if (node.node.parent?.name.startsWith("ATX")) hashes(state, node, into);
  },
  EmphasisMark: mark,
  StrikethroughMark: mark,
  CodeMark: mark,
  WikiMark: mark,
  LinkMark: linkMark,
  LinkTitle: mark,
  URL: address,
  Link: link,
  WikiLink: link,
  Image: image,
  Escape: escape,
  QuoteMark: quoted,
  ListMark: bullet,
  TaskMarker: task,
  FencedCode: code,
  CodeBlock: code,
  HorizontalRule: rule,
  Table: table,
};

function instead(widget: WidgetType, { from, to }: { from: number; to: number }) {
  return Decoration.replace({ widget }).range(from, to);
}
