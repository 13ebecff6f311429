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
import { markdownSupport } from "./markdown";
import { preview } from "./preview/preview";
import { markdownLook } from "./theme";
import { editorWords } from "./words";

export class Editor {
  readonly view: EditorView;
  readonly undo: Y.UndoManager;
  private readonly permission = new Compartment();
  private readonly look = new Compartment();
  private stopRevealing = (): void => {};

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

  /**
   * Brings a place of the text into sight, and keeps it there until the page has settled.
   *
   * Lines that were not drawn yet have estimated heights. When they get their real ones, or
   * something loads beside the text, the place could leave the screen again.
   */
  reveal(from: number): void {
    this.stopRevealing();
    const show = (): void => {
      const position = Math.min(from, this.view.state.doc.length);
      this.view.dispatch({ effects: EditorView.scrollIntoView(position, { y: "center" }) });
    };
    show();
    this.stopRevealing = whileSettling(() => {
      const seen = this.view.coordsAtPos(Math.min(from, this.view.state.doc.length));
      if (!seen || seen.top < 0 || seen.bottom > innerHeight) show();
    });
  }

  destroy(): void {
    this.stopRevealing();
    this.view.destroy();
    this.undo.destroy();
  }
}

const lookOf = (isSource: boolean): Extension => (isSource ? [] : preview);

const SETTLING_MS = 1500;
const SETTLING_FRAMES = 30;
const OWN_MOVES = ["wheel", "touchstart", "pointerdown", "keydown"] as const;

/** Runs a check in every frame for a while, until the user moves; returns how to stop it. */
function whileSettling(check: () => void): () => void {
  const until = performance.now() + SETTLING_MS;
  let frames = 0;
  let next = requestAnimationFrame(function frame() {
    check();
    frames++;
    // A busy machine draws few frames: it gets as many of them as a quick one.
    if (frames < SETTLING_FRAMES || performance.now() < until) next = requestAnimationFrame(frame);
    else stop();
  });
  const stop = (): void => {
    cancelAnimationFrame(next);
    for (const move of OWN_MOVES) removeEventListener(move, stop, true);
  };
  for (const move of OWN_MOVES) addEventListener(move, stop, { capture: true, passive: true });
  return stop;
}

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

/** The bar covers the top of the text, so a place just below the edge is hidden. */
const UNDER_THE_BAR = { top: 72, bottom: 48 };

const surface = (): Extension => [
  EditorState.lineSeparator.of(ONLY_NEWLINES),
  EditorView.clipboardInputFilter.of((text) => text.replace(/\r\n?/g, "\n")),
  highlightSpecialChars(),
  drawSelection(),
  markdownSupport,
  markdownLook,
  EditorView.lineWrapping,
  EditorView.scrollMargins.of(() => UNDER_THE_BAR),
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
