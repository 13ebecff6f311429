/** One replica of a document, joined to its live room; after a refusal another takes its place. */
import * as awarenessProtocol from "y-protocols/awareness";
import * as Y from "yjs";
import type { Role } from "../api/types";
import { Signal } from "../page/signal";
import { Link, type LinkListener, type MakeSocket } from "./link";
import { Outbox } from "./outbox";
import * as wire from "./wire";

export type SaveState = "connecting" | "saving" | "saved" | "offline";

/** Codes of refusals after which the server asks again for what it lacks. */
const ASKED_AGAIN = new Set(["update_gap"]);

// Longer than a busy server takes, shorter than anybody waits for a button.
const SAVING_MS = 8000;

export interface Ending {
  code: number;
  reason: string;
}

export class Room implements LinkListener {
  readonly doc = new Y.Doc();
  readonly text = this.doc.getText("content");
  readonly awareness = new awarenessProtocol.Awareness(this.doc);
  readonly authors = new Map<number, wire.Author>();
  readonly stateChanged = new Signal<SaveState>();
  readonly welcomed = new Signal<wire.Welcome>();
  readonly synced = new Signal<void>();
  readonly changed = new Signal<string[]>();
  readonly presence = new Signal<wire.Present[]>();
  readonly authorsChanged = new Signal<void>();
  readonly refused = new Signal<wire.Refusal>();
  readonly ended = new Signal<Ending>();
  role: Role = "viewer";
  /** The server has said what the user may do here. */
  isWelcome = false;
  /** The text is that of the server: from then on it may be edited. */
  isSynced = false;
  state: SaveState = "connecting";

  private readonly outbox = new Outbox();
  private readonly link: Link;
  /** The server said what it has, so that updates leave no gap. */
  private isReady = false;
  private isClosed = false;

  constructor(url: string, makeSocket?: MakeSocket) {
    this.link = new Link(url, this, makeSocket);
    this.doc.on("update", (update: Uint8Array, origin: unknown) => {
      if (origin !== this) this.edited(update);
    });
    this.awareness.on("update", (changes: Changes, origin: unknown) => {
      const clients = [...changes.added, ...changes.updated, ...changes.removed];
      // A server that takes this page for gone says so; what Yjs then counts on has to be told.
      if (origin !== this || clients.includes(this.doc.clientID))
        this.sendAwareness([this.doc.clientID]);
    });
  }

  open(): void {
    this.link.start();
  }

  hurry(): void {
    this.link.hurry();
  }

  close(): void {
    this.isClosed = true;
    awarenessProtocol.removeAwarenessStates(this.awareness, [this.doc.clientID], "closing");
    this.link.stop();
    this.awareness.destroy();
    this.doc.destroy();
  }

  get hasUnsaved(): boolean {
    return this.outbox.hasUnsaved;
  }

  get isConnected(): boolean {
    return this.isReady;
  }

  /** Waits until everything that was typed here is durable; fails where that takes too long. */
  whenSaved(): Promise<void> {
    if (!this.hasUnsaved) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const tooLong = setTimeout(() => {
        stop();
        reject(new Error("not saved yet"));
      }, SAVING_MS);
      const stop = this.stateChanged.on((state) => {
        if (state !== "saved") return;
        clearTimeout(tooLong);
        stop();
        resolve();
      });
    });
  }

  // ------------------------------------------------------------ what the link tells

  opened(hasAsked: boolean): void {
    const state = Y.encodeStateVector(this.doc);
    if (!hasAsked) this.link.send(wire.syncMessage(wire.Step.state, state));
    // Set again, it counts on: others had been told that this page is gone.
    this.awareness.setLocalState(this.awareness.getLocalState());
  }

  heard(data: Uint8Array): void {
    const message = wire.decode(data);
    if (!message || this.isClosed) return;
    switch (message.type) {
      case "sync":
        return this.sync(message.step, message.payload);
      case "awareness":
        return awarenessProtocol.applyAwarenessUpdate(this.awareness, message.update, this);
      case "queryAwareness":
        return this.sendAwareness([this.doc.clientID]);
      case "denied":
        return this.refused.emit({ kind: "refused", code: "denied", message: message.reason });
      case "notice":
        return this.noticed(message.notice);
    }
  }

  lost(): void {
    this.isReady = false;
    this.outbox.forget();
    const others = [...this.awareness.getStates().keys()].filter((id) => id !== this.doc.clientID);
    awarenessProtocol.removeAwarenessStates(this.awareness, others, this);
    this.look("offline");
  }

  closed(code: number, reason: string): void {
    this.lost();
    this.ended.emit({ code, reason });
  }

  question(): Uint8Array<ArrayBuffer> {
    return wire.queryAwarenessMessage();
  }

  // ------------------------------------------------------------ the text

  private edited(update: Uint8Array): void {
    this.outbox.put(update);
    this.flush();
  }

  /** Sends what waits, once the message before it is settled. */
  private flush(): void {
    const update = this.isReady ? this.outbox.take() : null;
    if (update) this.link.send(wire.syncMessage(wire.Step.update, update));
    this.look();
  }

  private sync(step: wire.Step, payload: Uint8Array): void {
    if (step === wire.Step.state) return this.answer(payload);
    Y.applyUpdate(this.doc, payload, this);
    if (step === wire.Step.missing && !this.isSynced) {
      this.isSynced = true;
      this.synced.emit();
    }
    // A user who may only read is never asked what they have.
    if (step === wire.Step.missing && !mayWrite(this.role)) this.isReady = true;
    this.look();
  }

  /** Sends what the server lacks; only one's own edits can be that. */
  private answer(known: Uint8Array): void {
    const missing = this.outbox.hasUnsaved ? Y.encodeStateAsUpdate(this.doc, known) : NOTHING;
    this.outbox.takeAll(isNothing(missing));
    this.isReady = true;
    this.link.send(wire.syncMessage(wire.Step.missing, missing));
    this.look();
  }

  // ------------------------------------------------------------ what the server says

  private noticed(notice: wire.Notice): void {
    switch (notice.kind) {
      case "welcome":
        return this.welcome(notice);
      case "saved":
        this.outbox.settled();
        return this.flush();
      case "refused":
        return this.refuse(notice);
      case "changed":
        return this.changed.emit(notice.what);
      case "presence":
        return this.presence.emit(notice.people);
      case "authors":
        for (const [client, author] of Object.entries(notice.clients)) {
          this.authors.set(Number(client), author);
        }
        return this.authorsChanged.emit();
    }
  }

  private welcome(notice: wire.Welcome): void {
    this.role = notice.role;
    this.isWelcome = true;
    const user = { ...notice.person, color: notice.colour };
    this.awareness.setLocalStateField("user", user);
    this.welcomed.emit(notice);
  }

  private refuse(notice: wire.Refusal): void {
    this.outbox.forget();
    if (ASKED_AGAIN.has(notice.code)) {
      this.isReady = false;
    } else {
      this.refused.emit(notice);
    }
  }

  private sendAwareness(clients: number[]): void {
    const update = awarenessProtocol.encodeAwarenessUpdate(this.awareness, clients);
    this.link.send(wire.awarenessMessage(update));
  }

  private look(state: SaveState = this.present()): void {
    if (state === this.state) return;
    this.state = state;
    this.stateChanged.emit(state);
  }

  private present(): SaveState {
    if (!this.isReady || !this.isSynced) return this.state === "offline" ? "offline" : "connecting";
    return this.outbox.hasUnsaved ? "saving" : "saved";
  }
}

export function mayWrite(role: Role): boolean {
  return role !== "viewer" && role !== "commenter";
}

/** An update without structs and without deletions. */
const NOTHING = Uint8Array.of(0, 0);

function isNothing(update: Uint8Array): boolean {
  return update.length === NOTHING.length && update.every((byte) => byte === 0);
}

interface Changes {
  added: number[];
  updated: number[];
  removed: number[];
}
