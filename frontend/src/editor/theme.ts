/** How markdown looks while it is written. Colours are the page's, so both modes fit. */
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { tags } from "@lezer/highlight";

const style = HighlightStyle.define([
  { tag: tags.heading1, fontSize: "1.75rem", fontWeight: "600", lineHeight: "1.3" },
  { tag: tags.heading2, fontSize: "1.375rem", fontWeight: "600", lineHeight: "1.35" },
  { tag: tags.heading3, fontSize: "1.125rem", fontWeight: "600" },
  { tag: [tags.heading4, tags.heading5, tags.heading6], fontWeight: "600" },
  { tag: tags.strong, fontWeight: "600" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: tags.strikethrough, textDecoration: "line-through" },
  { tag: tags.quote, color: "var(--soft)" },
  { tag: tags.monospace, fontFamily: "var(--mono)", fontSize: "0.92em", color: "var(--code)" },
  { tag: [tags.link, tags.url], color: "var(--accent)", textDecoration: "underline" },
  {
    tag: [tags.processingInstruction, tags.meta, tags.contentSeparator],
    color: "var(--faint)",
  },
  { tag: [tags.labelName, tags.string], color: "var(--accent)" },
  { tag: tags.comment, color: "var(--faint)" },
]);

export const markdownLook: Extension = syntaxHighlighting(style);
