/** Draws the marks within a line (bold, code, links), where a widget shows a text of its own. */
import type { SyntaxNode } from "@lezer/common";
import { markdownSupport, titleOf } from "../markdown";

const TAGS: Record<string, string> = {
  StrongEmphasis: "strong",
  Emphasis: "em",
  Strikethrough: "s",
  InlineCode: "code",
};
const HIDDEN = /Mark$|^URL$|^LinkTitle$/u;

/** Returns the text as elements; nothing of it becomes markup that it does not say. */
export function inline(text: string): DocumentFragment {
  const drawn = document.createDocumentFragment();
  // Escaped bars belong to the table, not to the cell.
  const plain = text.replaceAll("\\|", "|");
  fill(drawn, markdownSupport.language.parser.parse(plain).topNode, plain);
  return drawn;
}

function fill(into: Node, node: SyntaxNode, text: string): void {
  let at = node.from;
  for (let child = node.firstChild; child; child = child.nextSibling) {
    into.appendChild(document.createTextNode(text.slice(at, child.from)));
    const isAddress = child.name === "URL" && node.name !== "Link";
    if (isAddress || !HIDDEN.test(child.name))
      fill(into.appendChild(holder(child, text)), child, text);
    at = child.to;
  }
  into.appendChild(document.createTextNode(text.slice(at, node.to)));
}

function holder(node: SyntaxNode, text: string): HTMLElement {
  if (node.name !== "Link" && node.name !== "WikiLink") {
    return document.createElement(TAGS[node.name] ?? "span");
  }
  const shown = document.createElement("span");
  shown.className = "cm-link";
  const url = node.getChild("URL");
  const source = text.slice(node.from, node.to);
  shown.dataset["to"] = url ? text.slice(url.from, url.to) : `[[${titleOf(source)}]]`;
  return shown;
}
