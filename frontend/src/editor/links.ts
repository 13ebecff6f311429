/** Links are followed by Ctrl or Cmd and a click; where the text cannot be edited, by a click. */
import { type Extension } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { syntaxTree } from "@codemirror/language";
import { titleOf } from "./markdown";

export interface Follow {
  /** Goes to another document by its title. */
  title(title: string): void;
  /** Goes to an address. */
  address(address: string): void;
}

export function links(follow: Follow): Extension {
  const go = (to: string): void => {
    const title = titleOf(to);
    if (title) follow.title(title);
    else follow.address(to);
  };
  return [
    EditorView.domEventHandlers({
      mousedown(event, view) {
        const isAsked = event.ctrlKey || event.metaKey || view.state.readOnly;
        const link = (event.target as Element).closest?.<HTMLElement>("[data-to]");
        const to = link?.dataset["to"];
        if (!isAsked || event.button !== 0 || !to) return false;
        event.preventDefault();
        go(to);
        return true;
      },
    }),
    keymap.of([
      {
        key: "Mod-Alt-Enter",
        run(view) {
          const to = linkAt(view);
          if (to) go(to);
          return to !== "";
        },
      },
    ]),
  ];
}

/** What the link at the caret leads to; empty where there is none. */
function linkAt(view: EditorView): string {
  const { state } = view;
  let node = syntaxTree(state).resolveInner(state.selection.main.head, -1);
  while (node.parent && node.name !== "WikiLink" && node.name !== "Link" && node.name !== "URL") {
    node = node.parent;
  }
  const url = node.name === "URL" ? node : node.getChild("URL");
  if (url) return state.sliceDoc(url.from, url.to);
  return node.name === "WikiLink" ? state.sliceDoc(node.from, node.to) : "";
}
