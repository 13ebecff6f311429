/** The feed of a tab: what was committed, by whom, so that screens fetch what they show anew. */
import { signal } from "@preact/signals";
import type { Doer } from "../api/types";
import { delayBefore } from "../live/link";
import { Signal } from "../page/signal";

/** A commit, as far as the user may know of it. */
export interface Change {
  version: number;
  branch: string;
  kinds: string[];
  keys: { kind: string; id: string }[];
  /** The commit touched more than `keys` lists. */
  more?: boolean;
  who?: Doer;
  /** More happened than was told: everything shown has to be fetched anew. */
  refetch?: boolean;
  /** What the user may read has changed. */
  access?: boolean;
  /** The user's tasks have changed; they are no part of any commit. */
  tasks?: boolean;
}

export const changes = new Signal<Change>();

/** Whether the server answers; the frame says so when it does not. */
export const isOnline = signal(true);

// The server speaks every 15 seconds; a feed that is silent for longer than this is dead.
const SILENCE_MS = 25_000;
const SIGNED_OUT = 4401;
const LOOK_MS = 1000;

/** Follows the store until the page is left; comes back by itself after an outage. */
export function openFeed(): void {
  new Feed().start();
}

class Feed {
  private version = 0;
  private attempt = 0;
  private heardAt = 0;
  private socket: WebSocket | null = null;

  start(): void {
    addEventListener("online", () => this.connect());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.connect();
    });
    setInterval(() => this.look(), LOOK_MS);
    this.connect();
  }

  private connect(): void {
    if (this.socket) return;
    const from = this.version ? `?after=${this.version}` : "";
    const socket = new WebSocket(`${location.origin.replace(/^http/u, "ws")}/live/feed${from}`);
    this.socket = socket;
    this.heardAt = Date.now();
    socket.onmessage = (event: MessageEvent<string>) => this.heard(event.data);
    socket.onclose = (event) => this.closed(socket, event.code);
  }

  private heard(data: string): void {
    this.heardAt = Date.now();
    this.attempt = 0;
    isOnline.value = true;
    const message = JSON.parse(data) as Partial<Change> & { hello?: boolean };
    if (message.version !== undefined) this.version = Math.max(this.version, message.version);
    // What became of tasks while the page did not listen is not told.
    if (message.hello) message.tasks = true;
    const isNews = message.refetch || message.access || message.kinds || message.tasks;
    if (isNews) changes.emit({ version: 0, branch: "", kinds: [], keys: [], ...message });
  }

  private closed(socket: WebSocket, code: number): void {
    if (socket !== this.socket) return;
    this.socket = null;
    if (code === SIGNED_OUT) return location.reload();
    isOnline.value = false;
    setTimeout(() => this.connect(), delayBefore(this.attempt++));
  }

  private look(): void {
    const { socket } = this;
    if (!socket || Date.now() - this.heardAt < SILENCE_MS) return;
    socket.close();
    // The close of a dead socket may take minutes to be noticed.
    this.closed(socket, 1006);
  }
}
