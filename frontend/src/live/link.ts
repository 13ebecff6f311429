/** A socket that comes back by itself: after a moment first, then after longer ones. */
import { takeEarly } from "./early";
import { Closed } from "./wire";

const FIRST_DELAY_MS = 300;
const LONGEST_DELAY_MS = 10_000;
// A link on which nothing is heard for this long is dead, whatever the browser believes.
const SILENCE_MS = 25_000;
const ASK_EVERY_MS = 10_000;
const LOOK_EVERY_MS = 1000;

const FINAL = new Set<number>(Object.values(Closed));

export interface LinkListener {
  /** There is a connection; the text may have been asked for on it already. */
  opened(hasAsked: boolean): void;
  heard(data: Uint8Array): void;
  /** The socket is gone and will come back. */
  lost(): void;
  /** The socket is gone and stays away. */
  closed(code: number, reason: string): void;
  /** Something to send that the server answers. */
  question(): Uint8Array<ArrayBuffer>;
}

export type MakeSocket = (url: string) => WebSocket;

/** How long to wait before the next attempt; by chance, or all pages would come at once. */
export function delayBefore(attempt: number, chance: () => number = Math.random): number {
  const longest = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt);
  return longest / 2 + (chance() * longest) / 2;
}

export class Link {
  private socket: WebSocket | null = null;
  private attempt = 0;
  private heardAt = 0;
  private askedAt = 0;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private pulse: ReturnType<typeof setInterval> | undefined;
  private isStopped = false;

  constructor(
    private readonly url: string,
    private readonly listener: LinkListener,
    private readonly makeSocket: MakeSocket = (address) => new WebSocket(address),
  ) {}

  start(): void {
    clearTimeout(this.retry);
    if (this.isStopped || this.socket) return;
    const early = takeEarly(this.url);
    const socket = early?.socket ?? this.makeSocket(this.url);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    socket.onopen = () => this.opened(socket);
    socket.onmessage = (event: MessageEvent<ArrayBuffer>) => this.heard(socket, event.data);
    socket.onclose = (event) => this.closed(socket, event.code, event.reason);
    if (early?.hasAsked) this.opened(socket, true);
    for (const data of early?.heard ?? []) this.heard(socket, data);
  }

  /** Sends if there is a connection, and tells whether there was. */
  send(data: Uint8Array<ArrayBuffer>): boolean {
    if (this.socket?.readyState !== OPEN) return false;
    this.socket.send(data);
    return true;
  }

  /** Tries again now instead of later: the network is back, or the user looks at the page. */
  hurry(): void {
    this.attempt = 0;
    this.start();
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.retry);
    clearInterval(this.pulse);
    const socket = this.socket;
    this.socket = null;
    socket?.close(1000);
  }

  private opened(socket: WebSocket, hasAsked = false): void {
    if (socket !== this.socket) return;
    this.heardAt = Date.now();
    this.askedAt = this.heardAt;
    this.pulse = setInterval(() => this.beat(), LOOK_EVERY_MS);
    this.listener.opened(hasAsked);
  }

  private heard(socket: WebSocket, data: ArrayBuffer): void {
    if (socket !== this.socket) return;
    // Only a server that speaks is a reason to begin again with short delays.
    this.attempt = 0;
    this.heardAt = Date.now();
    this.listener.heard(new Uint8Array(data));
  }

  private closed(socket: WebSocket, code: number, reason: string): void {
    if (socket !== this.socket) return;
    this.socket = null;
    clearInterval(this.pulse);
    if (FINAL.has(code)) {
      this.isStopped = true;
      this.listener.closed(code, reason);
      return;
    }
    this.listener.lost();
    this.retry = setTimeout(() => this.start(), delayBefore(this.attempt++));
  }

  private beat(): void {
    const { socket } = this;
    const now = Date.now();
    if (socket && now - this.heardAt >= SILENCE_MS) {
      socket.close();
      // The close of a dead socket may take minutes to be noticed.
      this.closed(socket, 1006, "silent");
    } else if (now - this.askedAt >= ASK_EVERY_MS) {
      this.askedAt = now;
      this.send(this.listener.question());
    }
  }
}

const OPEN = 1;
