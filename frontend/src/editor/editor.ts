/** The editor: CodeMirror on the text of a room. */
import { Compartment, EditorState, type Extension, Prec, StateEffect } from "@codemirror/state";
import {
  drawSelection,
  dropCursor,
  EditorView,
  highlightSpecialChars,
  keymap,
  placeholder,
} from "@codemirror/view";
import { yCollab, yUndoManagerKeymap } from "y-codemirror.next";
import * as Y from "yjs";
import type { Room } from "../live/room";
import { lineDirections } from "./directions";
import { holding, UNDER_THE_BAR } from "./holding";
import { markdownSupport } from "./markdown";
import { preview } from "./preview/preview";
import { markdownLook } from "./theme";
import { editorWords } from "./words";

export class Editor {
  readonly view: EditorView;
  readonly undo: Y.UndoManager;
  private readonly permission = new Compartment();
  private readonly look = new Compartment();

  // A change of what the editor is made of costs as much as several keys: only real ones are made.
  private mayWrite = false;

  constructor(
    parent: HTMLElement,
    room: Room,
    extensions: Extension,
    private isSource: boolean,
  ) {
    // Nothing is tracked but what y-codemirror adds: the edits of this very editor.
    this.undo = new Y.UndoManager(room.text, { trackedOrigins: new Set() });
    const parts = [
      extensions,
      keymap.of(yUndoManagerKeymap),
      this.permission.of(allowed(false)),
      this.look.of(lookOf(isSource)),
      yCollab(room.text, null, { undoManager: this.undo }),
      dropCursor(),
      surface(),
    ];
    this.view = new EditorView({ parent, state: stateOf(room.text.toString(), parts) });
  }

  /** Lets this page write, or only read. */
  allow(mayWrite: boolean): void {
    if (mayWrite === this.mayWrite) return;
    this.mayWrite = mayWrite;
    this.view.dispatch({ effects: this.permission.reconfigure(allowed(mayWrite)) });
  }

  /** Shows markdown as it is written, or as it is read. */
  show(isSource: boolean): void {
    if (isSource === this.isSource) return;
    this.isSource = isSource;
    this.view.dispatch({ effects: this.look.reconfigure(lookOf(isSource)) });
  }

  /** Adds something that is loaded later. */
  add(part: Extension): void {
    this.view.dispatch({ effects: StateEffect.appendConfig.of(Prec.high(part)) });
  }

  /** Brings a place of the text into sight; it stays there until the user moves. */
  reveal(from: number): void {
    const position = Math.min(from, this.view.state.doc.length);
    this.view.dispatch({ effects: EditorView.scrollIntoView(position, { y: "center" }) });
  }

  destroy(): void {
    this.view.destroy();
    this.undo.destroy();
  }
}

const lookOf = (isSource: boolean): Extension => (isSource ? [] : preview);

/** Shows a text that no user can change: a past one. */
export function reader(parent: HTMLElement, text: string, extensions: Extension): EditorView {
  const parts = [extensions, allowed(false), preview, surface()];
  return new EditorView({ parent, state: stateOf(text, parts) });
}

/** Shows a text that can be changed and is kept nowhere: a copy. */
export function sketch(parent: HTMLElement, text: string, extensions: Extension): EditorView {
  const parts = [extensions, allowed(true), preview, surface()];
  return new EditorView({ parent, state: stateOf(text, parts) });
}

/** Only "\n" ends a line: CodeMirror takes "\r\n" for one sign, and Yjs for two. */
const ONLY_NEWLINES = "\n";

const surface = (): Extension => [
  EditorState.lineSeparator.of(ONLY_NEWLINES),
  EditorView.clipboardInputFilter.of((text) => text.replace(/\r\n?/g, "\n")),
  highlightSpecialChars(),
  drawSelection(),
  markdownSupport,
  markdownLook,
  EditorView.lineWrapping,
  EditorView.scrollMargins.of(() => UNDER_THE_BAR),
  holding,
  lineDirections,
  EditorView.cspNonce.of(nonce()),
  EditorView.contentAttributes.of({
    "aria-label": editorWords().text,
    spellcheck: "true",
    autocorrect: "on",
    autocapitalize: "sentences",
  }),
];

function allowed(mayWrite: boolean): Extension {
  // A reader's editor takes the focus as well, so that words can be selected and found by keyboard.
  const attributes = { "aria-readonly": String(!mayWrite), tabindex: "0" };
  return [
    // Not while the text is on its way: it would look empty.
    mayWrite ? placeholder(editorWords().write) : [],
    EditorState.readOnly.of(!mayWrite),
    EditorView.editable.of(mayWrite),
    EditorView.contentAttributes.of(attributes),
  ];
}

function stateOf(text: string, extensions: Extension): EditorState {
  const separator = EditorState.lineSeparator.of(ONLY_NEWLINES);
  const doc = EditorState.create({ extensions: separator }).toText(text);
  return EditorState.create({ doc, extensions });
}

/** What the server allows this page's style elements by. */
function nonce(): string {
  return document.querySelector<HTMLMetaElement>("meta[property=csp-nonce]")?.nonce ?? "";
}
