/** Tells others in which section a user or an agent is, once the caret has come to rest. */
import type { Extension } from "@codemirror/state";
import { ViewPlugin, type EditorView, type ViewUpdate } from "@codemirror/view";
import type { Room } from "../live/room";
import { headingPath } from "./headings";

const REST_MS = 600;

export function whereabouts(room: Room): Extension {
  return ViewPlugin.define((view) => new Whereabouts(view, room));
}

class Whereabouts {
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly view: EditorView,
    private readonly room: Room,
  ) {
    this.tellSoon();
  }

  update(update: ViewUpdate): void {
    if (update.selectionSet || update.focusChanged) this.tellSoon();
  }

  destroy(): void {
    clearTimeout(this.timer);
  }

  private tellSoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.tell(), REST_MS);
  }

  private tell(): void {
    if (!this.view.hasFocus) return;
    const path = headingPath(this.view.state.doc.toString(), this.view.state.selection.main.head);
    const section = path.join(" > ") || null;
    if (this.room.awareness.getLocalState()?.["section"] === section) return;
    this.room.awareness.setLocalStateField("section", section);
  }
}
