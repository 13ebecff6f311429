/** Small things that are drawn in place of marks. */
import { EditorView, WidgetType } from "@codemirror/view";
import { editorWords } from "../words";

export class Bullet extends WidgetType {
  override eq(): boolean {
    return true;
  }

  toDOM(): HTMLElement {
    return element("span", "cm-bullet", "•");
  }
}

export class Rule extends WidgetType {
  override eq(): boolean {
    return true;
  }

  toDOM(): HTMLElement {
    return element("span", "cm-rule");
  }
}

/** The language of a code block, in place of its fence. */
export class Language extends WidgetType {
  constructor(private readonly name: string) {
    super();
  }

  override eq(other: Language): boolean {
    return other.name === this.name;
  }

  toDOM(): HTMLElement {
    return element("span", "cm-code-language", this.name);
  }
}

/** Blanks that are only drawn, so that the columns of a table stand below each other. */
export class Padding extends WidgetType {
  constructor(private readonly count: number) {
    super();
  }

  override eq(other: Padding): boolean {
    return other.count === this.count;
  }

  toDOM(): HTMLElement {
    const blanks = element("span", "cm-padding", "\u00a0".repeat(this.count));
    blanks.setAttribute("aria-hidden", "true");
    return blanks;
  }
}

/** A task that a click marks as done, or as not done. */
export class Checkbox extends WidgetType {
  constructor(
    private readonly isDone: boolean,
    private readonly isLocked: boolean,
  ) {
    super();
  }

  override eq(other: Checkbox): boolean {
    return other.isDone === this.isDone && other.isLocked === this.isLocked;
  }

  toDOM(view: EditorView): HTMLElement {
    const box = document.createElement("input");
    box.type = "checkbox";
    box.className = "cm-task";
    box.checked = this.isDone;
    box.disabled = this.isLocked;
    box.tabIndex = -1;
    box.setAttribute("aria-label", editorWords().done);
    box.addEventListener("mousedown", (event) => event.preventDefault());
    box.addEventListener("click", (event) => {
      event.preventDefault();
      turn(view, view.posAtDOM(box));
    });
    return box;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

const TASK = /^(\s*(?:>\s*)*(?:[-*+]|\d+[.)])\s+)\[([ xX])\]/u;

/** Marks the task on a line as done, or as not done; tells whether there is one. */
export function turn(view: EditorView, at: number): boolean {
  const line = view.state.doc.lineAt(at);
  const found = TASK.exec(line.text);
  if (!found || view.state.readOnly) return false;
  const from = line.from + found[1]!.length + 1;
  const insert = found[2] === " " ? "x" : " ";
  view.dispatch({ changes: { from, to: from + 1, insert }, userEvent: "input.task" });
  return true;
}

export function element(tag: string, name: string, text = ""): HTMLElement {
  const made = document.createElement(tag);
  made.className = name;
  made.textContent = text;
  return made;
}
