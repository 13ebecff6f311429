/** The editor: CodeMirror on the text of a room. */
import { defaultKeymap } from "@codemirror/commands";
import { markdown, markdownKeymap, markdownLanguage } from "@codemirror/lang-markdown";
import { search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
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
import { authorship } from "./authorship";
import { remoteCursors } from "./cursors";
import { lineDirections } from "./directions";
import { markdownLook } from "./theme";
import { whereabouts } from "./whereabouts";

export class Editor {
  readonly view: EditorView;
  readonly undo: Y.UndoManager;
  private readonly permission = new Compartment();

  constructor(parent: HTMLElement, room: Room, extensions: Extension) {
    // Nothing is tracked but what y-codemirror adds: the edits of this very editor.
    this.undo = new Y.UndoManager(room.text, { trackedOrigins: new Set() });
    const parts = [
      keymap.of([...yUndoManagerKeymap, ...markdownKeymap, ...searchKeymap, ...defaultKeymap]),
      this.permission.of(allowed(false)),
      yCollab(room.text, null, { undoManager: this.undo }),
      remoteCursors(room),
      authorship(room),
      whereabouts(room),
      extensions,
      surface,
    ];
    const state = EditorState.create({ doc: lines(room.text.toString()), extensions: parts });
    this.view = new EditorView({ parent, state });
  }

  /** Lets this page write, or only read. */
  allow(mayWrite: boolean): void {
    this.view.dispatch({ effects: this.permission.reconfigure(allowed(mayWrite)) });
  }

  /** Brings a place of the text into sight. */
  reveal(from: number): void {
    const position = Math.min(from, this.view.state.doc.length);
    this.view.dispatch({ effects: EditorView.scrollIntoView(position, { y: "center" }) });
  }

  destroy(): void {
    this.view.destroy();
    this.undo.destroy();
  }
}

/** Only "\n" ends a line: CodeMirror takes "\r\n" for one sign, and Yjs for two. */
const ONLY_NEWLINES = "\n";

/** The bar covers the top of the text, so a place just below the edge is hidden. */
const UNDER_THE_BAR = { top: 72, bottom: 48 };

const surface: Extension = [
  EditorState.lineSeparator.of(ONLY_NEWLINES),
  EditorView.clipboardInputFilter.of((text) => text.replace(/\r\n?/g, "\n")),
  highlightSpecialChars(),
  drawSelection(),
  dropCursor(),
  search({ top: true }),
  markdown({ base: markdownLanguage, completeHTMLTags: false }),
  markdownLook,
  placeholder("Write here…"),
  EditorView.lineWrapping,
  EditorView.scrollMargins.of(() => UNDER_THE_BAR),
  lineDirections,
  EditorView.cspNonce.of(nonce()),
  EditorView.contentAttributes.of({
    "aria-label": "Text of the document",
    spellcheck: "true",
    autocorrect: "on",
    autocapitalize: "sentences",
  }),
];

function allowed(mayWrite: boolean): Extension {
  // A reader's editor takes the focus as well, so that words can be selected and found by keyboard.
  const attributes = { "aria-readonly": String(!mayWrite), tabindex: "0" };
  return [
    EditorState.readOnly.of(!mayWrite),
    EditorView.editable.of(mayWrite),
    EditorView.contentAttributes.of(attributes),
  ];
}

function lines(text: string) {
  return EditorState.create({ extensions: EditorState.lineSeparator.of(ONLY_NEWLINES) }).toText(
    text,
  );
}

/** What the server allows this page's style elements by. */
function nonce(): string {
  return document.querySelector<HTMLMetaElement>("meta[property=csp-nonce]")?.nonce ?? "";
}
