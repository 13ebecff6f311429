/** Everything that belongs to one replica: the editor on it, and what is said about its text. */
import { type Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import type { DocumentTools } from "../api/tools";
import { Editor } from "../editor/editor";
import { headingPath } from "../editor/headings";
import { marks, setMarks } from "../editor/marks";
import { selectionBar } from "../editor/selection";
import type { Room } from "../live/room";
import { fill } from "../page/elements";
import { Board } from "../review/board";
import { Desk } from "../review/desk";
import { Panel } from "../review/panel";
import type { Draft } from "../review/composer";

/** What tests and curious people find under `window.strata`. */
export interface Handle {
  room: Room;
  doc: Room["doc"];
  text: Room["text"];
  view: EditorView;
  readonly state: Room["state"];
}

declare global {
  interface Window {
    strata?: Handle;
  }
}

const QUIET_MS = 300;

export class Desktop {
  readonly board: Board;
  readonly editor: Editor;
  openPanel: () => void = () => undefined;
  private readonly desk: Desk;
  private readonly panel: Panel;
  private me = "";
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    text: HTMLElement,
    side: HTMLElement,
    private readonly room: Room,
    tools: DocumentTools,
  ) {
    fill(text);
    this.board = new Board(room, tools);
    this.editor = new Editor(text, room, this.extensions());
    this.desk = new Desk(this.board, {
      me: () => this.me,
      role: () => room.role,
      whenSaved: () => room.whenSaved(),
      reveal: (id) => this.reveal(id),
    });
    this.panel = new Panel(side, this.board, this.desk, () => this.editor.view.focus());
    this.listen();
  }

  close(): void {
    clearTimeout(this.timer);
    this.board.close();
    this.editor.destroy();
  }

  handle(): Handle {
    const room = this.room;
    return {
      room,
      doc: room.doc,
      text: room.text,
      view: this.editor.view,
      get state() {
        return room.state;
      },
    };
  }

  private listen(): void {
    const { room } = this;
    room.welcomed.on((welcome) => {
      this.me = welcome.person.id;
      this.permit();
    });
    room.synced.on(() => {
      this.permit();
      void this.board.load();
    });
    room.changed.on((what) => {
      if (what.includes("comments") || what.includes("suggestions")) void this.board.load();
    });
    room.text.observe(() => this.settleSoon());
    this.board.changed.on(() => this.draw());
    this.board.choiceChanged.on(() => this.draw());
  }

  /** A text that has not arrived yet cannot be edited. */
  private permit(): void {
    this.editor.allow(this.room.isSynced && this.desk.mayEdit());
    this.panel.show();
  }

  private draw(): void {
    this.editor.view.dispatch({ effects: setMarks.of(this.board.marks()) });
  }

  /** Words that are deleted or come back change what there is to draw, once it is quiet. */
  private settleSoon(): void {
    this.board.textChanged();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.draw();
      this.panel.show();
    }, QUIET_MS);
  }

  private reveal(id: string): void {
    const from = this.board.placeOf(id);
    if (from !== null) this.editor.reveal(from);
  }

  private extensions(): Extension {
    const chosen = (kind: "comment" | "suggestion", id: string): void => {
      this.openPanel();
      this.board.choose({ kind, id });
      this.panel.focus(id);
    };
    const actions = {
      comment: () => this.compose("comment"),
      suggest: () => this.compose("suggestion"),
      isAllowed: () => this.room.role !== "viewer",
    };
    return [marks(chosen), selectionBar(actions)];
  }

  private compose(kind: Draft["kind"]): void {
    const { from, to } = this.editor.view.state.selection.main;
    const all = this.room.text.toString();
    this.openPanel();
    this.panel.compose({
      kind,
      words: all.slice(from, to),
      start: from,
      path: headingPath(all, from),
    });
  }
}
