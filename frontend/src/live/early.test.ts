import { afterEach, beforeEach, expect, test, vi } from "vitest";
import * as Y from "yjs";
import { liveUrl, openEarly, QUESTION } from "./early";
import { FakeServer } from "./server.fake";
import { Session } from "./session";
import * as wire from "./wire";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const ORIGIN = "http://127.0.0.1";
const questions = (server: FakeServer): number =>
  server.socket.sent.filter((one) => one.type === "sync" && one.step === wire.Step.state).length;

function early(text: string): FakeServer {
  const server = new FakeServer(text);
  openEarly(liveUrl(ORIGIN, "doc_1", null), server.connect);
  return server;
}

function session(server: FakeServer): Session {
  const made = new Session(ORIGIN, "doc_1", null, server.connect);
  made.start();
  return made;
}

test("the early question is that of a replica without a text", () => {
  const asked = wire.syncMessage(wire.Step.state, Y.encodeStateVector(new Y.Doc()));
  expect(QUESTION).toEqual(asked);
});

test("a room takes what came before it was there, and does not ask twice", () => {
  const server = early("안녕 👋");
  server.welcome();
  const { room } = session(server);
  expect(server.sockets).toHaveLength(1);
  expect(questions(server)).toBe(1);
  expect(room.text.toString()).toBe("안녕 👋");
  expect(room.role).toBe("editor");
  room.text.insert(0, "a");
  expect(server.keep()).toBe(1);
  expect(server.text).toBe("a안녕 👋");
});

test("a room that takes a socket before it is open asks on it itself, once", () => {
  const server = early("a");
  const { room } = session(server);
  server.welcome();
  expect(server.sockets).toHaveLength(1);
  expect(questions(server)).toBe(1);
  expect(room.text.toString()).toBe("a");
});

test("where the early socket was turned away, the room makes its own and learns why", () => {
  const server = early("a");
  server.socket.close(wire.Closed.notFound);
  const made = new Session(ORIGIN, "doc_1", null, server.connect);
  const ended = vi.fn();
  made.ended.on(ended);
  made.start();
  expect(server.sockets).toHaveLength(2);
  server.socket.close(wire.Closed.notFound);
  expect(ended).toHaveBeenCalledWith(expect.objectContaining({ code: wire.Closed.notFound }));
});

test("a socket that no room takes is closed", () => {
  const server = early("a");
  vi.advanceTimersByTime(60_000);
  expect(server.socket.readyState).toBe(3);
});
