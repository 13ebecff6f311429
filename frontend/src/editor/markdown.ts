/** Markdown as documents here have it: GitHub's, with `[[links]]` to other documents. */
import { markdown, markdownLanguage } from "@codemirror/lang-markdown";
import { tags } from "@lezer/highlight";
import type { InlineContext, MarkdownConfig } from "@lezer/markdown";

const OPENING = "[".charCodeAt(0);
const LINK = /^\[\[([^[\]\n|]+)(\|[^[\]\n]+)?\]\]/u;
const LONGEST = 400;

const wikiLinks: MarkdownConfig = {
  defineNodes: [
    { name: "WikiLink", style: { "WikiLink/...": tags.link } },
    { name: "WikiMark", style: tags.processingInstruction },
  ],
  parseInline: [{ name: "WikiLink", parse, before: "Link" }],
};

function parse(cx: InlineContext, next: number, at: number): number {
  if (next !== OPENING || cx.char(at + 1) !== OPENING) return -1;
  const found = LINK.exec(cx.slice(at, Math.min(cx.end, at + LONGEST)));
  if (!found) return -1;
  const end = at + found[0].length;
  const words = found[2] ? at + 2 + found[1]!.length + 1 : at + 2;
  const marks = [cx.elt("WikiMark", at, words), cx.elt("WikiMark", end - 2, end)];
  return cx.addElement(cx.elt("WikiLink", at, end, marks));
}

/** The title that a `[[link]]` names, without the words that are shown for it. */
export function titleOf(link: string): string {
  return LINK.exec(link)?.[1]?.trim() ?? "";
}

export const markdownSupport = markdown({
  base: markdownLanguage,
  completeHTMLTags: false,
  extensions: wikiLinks,
});
