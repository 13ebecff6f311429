/** Everything that belongs to one replica: the editor on it, and what is said about its text. */
import { effect, signal } from "@preact/signals";
import { Compartment, type Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { call, type DocumentTools } from "../api/tools";
import type { Character, Origin } from "../editor/authorship";
import { Editor, sketch } from "../editor/editor";
import { areAlike, headingPath, headingsOf, type Heading } from "../editor/headings";
import { links } from "../editor/links";
import { marks, setMarks } from "../editor/marks";
import { pictures } from "../editor/preview/picture";
import { mayWrite, type Room } from "../live/room";
import { behindFrame } from "../page/frame";
import { Board } from "../review/board";
import type { Draft } from "../review/draft";
import { pictureOf, sendFile } from "./files";
import { following, titlesLike } from "./following";
import { isSource, showsAuthors, wantsFocus } from "./looks";

/** What tests and curious people find under `window.strata`. */
export interface Handle {
  room: Room;
  doc: Room["doc"];
  text: Room["text"];
  view: EditorView;
  readonly state: Room["state"];
  /** Whether what is loaded behind the text is there too. */
  readonly isComplete: boolean;
}

declare global {
  interface Window {
    strata?: Handle;
  }
}

const QUIET_MS = 300;

export class Seat {
  readonly board: Board;
  readonly editor: Editor;
  /** What the headings are called; where they are changes with every key and is asked for. */
  readonly headings = signal<Heading[]>([]);
  /** What is being written about selected words. */
  readonly draft = signal<Draft | null>(null);
  /** Counts how often lines may have moved on the screen. */
  readonly shape = signal(0);
  private timer: ReturnType<typeof setTimeout> | undefined;
  private stops: (() => void)[] = [];
  private isClosed = false;
  private hasMarks = false;
  /** Keeps a file with the document, and puts it where the caret is; loaded behind the text. */
  readonly attach = signal<((file: File) => Promise<void>) | null>(null);
  private readonly readers = signal<readonly string[]>([]);
  private hasAsked = false;

  constructor(
    place: HTMLElement,
    readonly room: Room,
    private readonly tools: DocumentTools,
  ) {
    place.replaceChildren();
    this.board = new Board(room, tools);
    this.editor = new Editor(place, room, this.extensions(), isSource.peek());
    this.listen();
    window.strata = this.handle();
  }

  close(): void {
    this.isClosed = true;
    // Else it would keep the text of a document that was left, and look as if it were open.
    delete window.strata;
    clearTimeout(this.timer);
    for (const stop of this.stops) stop();
    this.board.close();
    this.editor.destroy();
  }

  reveal(at: number): void {
    this.editor.reveal(at);
  }

  /** Goes to a heading, by its place among all headings. */
  goTo(heading: number): void {
    const { view } = this.editor;
    const at = headingsOf(this.room.text.toString())[heading]?.at ?? 0;
    const line = view.state.doc.lineAt(Math.min(at, view.state.doc.length));
    view.dispatch({ selection: { anchor: line.to } });
    this.focus();
    this.reveal(line.from);
  }

  focus(): void {
    this.editor.view.focus();
  }

  /** Where the text that is drawn begins: what is in sight, and a little around it. */
  get sight(): number {
    return this.editor.view.viewport.from;
  }

  /** How far below the top of an element a place of the text is, in pixels. */
  topOf(at: number, within: HTMLElement): number {
    const { view } = this.editor;
    const top = within.getBoundingClientRect().top;
    const seen = view.coordsAtPos(Math.min(at, view.state.doc.length));
    if (seen) return seen.top - top;
    return view.lineBlockAt(Math.min(at, view.state.doc.length)).top + view.documentTop - top;
  }

  /** Opens an editor on a copy of the text, which nothing keeps. */
  copy(place: HTMLElement, extensions: Extension): EditorView {
    const drawn = pictures.of((image) => pictureOf(this.tools.document, image));
    const view = sketch(place, this.room.text.toString(), [drawn, extensions]);
    // The caret is where it was in the text.
    const anchor = Math.min(this.editor.view.state.selection.main.head, view.state.doc.length);
    view.dispatch({ selection: { anchor }, scrollIntoView: true });
    return view;
  }

  private handle(): Handle {
    const { room, editor, attach } = this;
    return {
      room,
      doc: room.doc,
      text: room.text,
      view: editor.view,
      get state() {
        return room.state;
      },
      get isComplete() {
        return attach.peek() !== null;
      },
    };
  }

  /** Brings what is not needed before the text can be read. */
  private async complete(): Promise<void> {
    if (this.isClosed) return;
    this.settle();
    void this.board.load();
    const late = await import("../editor/late");
    if (this.isClosed) return;
    const { document: id } = this.tools;
    const send = (file: File): Promise<string> => sendFile(id, file);
    this.attach.value = (file) => late.putFile(this.editor.view, send, file);
    const authors = new Compartment();
    const origin = (at: Character): Promise<Origin> => this.tools.origin(at);
    const actions = {
      comment: () => this.compose("comment"),
      suggest: () => this.compose("suggestion"),
      isAllowed: () => this.room.role !== "viewer",
    };
    this.editor.add([
      late.completing({ titles: titlesLike, names: () => this.names() }),
      late.remoteCursors(this.room),
      late.searching(),
      late.selectionBar(actions),
      late.uploads(send),
      late.whereabouts(this.room),
      late.formatting,
      late.pasting,
      late.moving,
      authors.of([]),
    ]);
    const show = (): void => {
      const shown = showsAuthors.value ? late.authorship(this.room, origin) : [];
      this.editor.view.dispatch({ effects: authors.reconfigure(shown) });
    };
    this.stops.push(effect(show));
  }

  private listen(): void {
    const { room, board } = this;
    this.stops = [
      room.welcomed.on(() => this.permit()),
      room.synced.on(() => {
        this.permit();
        this.welcome();
        behindFrame(() => void this.complete());
      }),
      room.changed.on((what) => {
        if (what.includes("comments") || what.includes("suggestions")) void board.load();
      }),
      effect(() => this.draw()),
      effect(() => this.editor.show(isSource.value)),
    ];
    room.text.observe(() => this.settleSoon());
  }

  /** A text that has not arrived yet cannot be edited. */
  private permit(): void {
    this.editor.allow(this.room.isSynced && mayWrite(this.room.role));
  }

  /** Lets the user write at once in a document that they just made. */
  private welcome(): void {
    if (wantsFocus.peek() !== this.tools.document) return;
    wantsFocus.value = null;
    const { view } = this.editor;
    view.dispatch({ selection: { anchor: view.state.doc.length } });
    this.focus();
  }

  private draw(): void {
    const drawn = this.board.marks();
    if (drawn.length === 0 && !this.hasMarks) return;
    this.hasMarks = drawn.length > 0;
    // Not at once: the editor may be drawing just now.
    queueMicrotask(() => this.editor.view.dispatch({ effects: setMarks.of(drawn) }));
  }

  /** Words that are deleted or come back change what there is to draw, once it is quiet. */
  private settleSoon(): void {
    this.board.textChanged();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.settle(), QUIET_MS);
  }

  private settle(): void {
    const headings = headingsOf(this.room.text.toString());
    // Their places move with every key; who reads them draws only what they are called.
    if (!areAlike(headings, this.headings.peek())) this.headings.value = headings;
    this.board.placesChanged();
  }

  /** Names of users who may be spoken to here: readers, those present, and those who wrote. */
  names(): string[] {
    this.learnReaders();
    const present = [...this.room.awareness.getStates().values()].map((state) => {
      const user = (state["user"] ?? {}) as { name?: string };
      return user.name ?? "";
    });
    const writers = [...this.room.authors.values()].map((author) => author.name);
    const said = this.board.comments.value.map((comment) => comment.author);
    const known = [...this.readers.value, ...present, ...writers, ...said];
    return [...new Set(known)].filter(Boolean).sort();
  }

  /** Asks once who reads the document, when a name is first looked for. */
  private learnReaders(): void {
    if (this.hasAsked) return;
    this.hasAsked = true;
    const asked = call("page_sharing", { documentId: this.tools.document });
    asked.then(
      ({ people }) => (this.readers.value = people.map((one) => one.name)),
      () => (this.hasAsked = false),
    );
  }

  private extensions(): Extension {
    const { document: id } = this.tools;
    return [
      marks((_kind, chosen) => (this.board.chosen.value = chosen)),
      links(following),
      pictures.of((image) => pictureOf(id, image)),
      EditorView.updateListener.of((update) => {
        const isMoved = update.geometryChanged || update.heightChanged || update.viewportChanged;
        if (isMoved) this.shape.value++;
      }),
    ];
  }

  private compose(kind: Draft["kind"]): void {
    const { from, to } = this.editor.view.state.selection.main;
    const all = this.room.text.toString();
    const words = all.slice(from, to);
    this.board.chosen.value = null;
    this.draft.value = { kind, words, text: words, start: from, path: headingPath(all, from) };
  }
}
