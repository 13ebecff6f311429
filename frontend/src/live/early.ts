/** The socket of a document, opened with the page: the text comes while the code is loaded. */

/** Where a document's live room listens. */
export function livePath(document: string, branch: string | null): string {
  const query = branch ? `?branch=${encodeURIComponent(branch)}` : "";
  return `/live/${encodeURIComponent(document)}${query}`;
}

export function liveUrl(origin: string, document: string, branch: string | null): string {
  return origin.replace(/^http/, "ws") + livePath(document, branch);
}

/** Longer than the code takes to load. A user who went elsewhere meanwhile needs no socket. */
const UNTAKEN_MS = 10_000;

/** "I have nothing": the question that a replica without a text begins with. */
export const QUESTION = new Uint8Array([0, 0, 1, 0]);

/** A socket that listens before there is a replica to hear it. */
export interface Early {
  socket: WebSocket;
  /** Whether the question was sent. */
  hasAsked: boolean;
  heard: ArrayBuffer[];
}

const waiting = new Map<string, Early>();

export function openEarly(url: string, make = (address: string) => new WebSocket(address)): void {
  const socket = make(url);
  socket.binaryType = "arraybuffer";
  const early: Early = { socket, hasAsked: false, heard: [] };
  socket.onopen = () => {
    socket.send(QUESTION);
    early.hasAsked = true;
  };
  socket.onmessage = (event: MessageEvent<ArrayBuffer>) => early.heard.push(event.data);
  // The room then makes one of its own, and learns why.
  socket.onclose = () => waiting.delete(url);
  waiting.set(url, early);
  setTimeout(() => takeEarly(url)?.socket.close(), UNTAKEN_MS);
}

/** Hands a socket over, once. */
export function takeEarly(url: string): Early | undefined {
  const early = waiting.get(url);
  waiting.delete(url);
  return early;
}
