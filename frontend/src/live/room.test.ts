import { afterEach, beforeEach, expect, test, vi } from "vitest";
import * as Y from "yjs";
import { FakeServer } from "./server.fake";
import { Session, type Rescue } from "./session";
import { Closed } from "./wire";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function joined(text: string, role: "editor" | "viewer" = "editor") {
  const server = new FakeServer(text);
  const session = new Session("http://127.0.0.1", "doc_1", "초안", server.connect);
  session.start();
  server.welcome(role);
  return { server, session };
}

test("a room asks for its branch, and shows the text of the server", () => {
  const { server, session } = joined("안녕 👋");
  expect(server.socket.url).toBe("ws://127.0.0.1/live/doc_1?branch=%EC%B4%88%EC%95%88");
  expect(session.room.text.toString()).toBe("안녕 👋");
  expect(session.room.state).toBe("saved");
});

test("an edit is saving until the server says that it is saved", () => {
  const { server, session } = joined("a");
  session.room.text.insert(1, "b");
  expect(session.room.state).toBe("saving");
  expect(server.keep()).toBe(1);
  expect(session.room.state).toBe("saved");
  expect(server.text).toBe("ab");
});

test("a deletion counts as an edit too", () => {
  const { server, session } = joined("abc");
  session.room.text.delete(0, 2);
  expect(session.room.hasUnsaved).toBe(true);
  server.keep();
  expect(session.room.hasUnsaved).toBe(false);
  expect(server.text).toBe("c");
});

test("what was typed while the server was away arrives when it is back", () => {
  const { server, session } = joined("a");
  session.room.text.insert(1, "b");
  server.socket.close(1006);
  session.room.text.insert(2, "c");
  session.room.text.delete(0, 1);
  expect(session.room.state).toBe("offline");
  vi.advanceTimersByTime(1000);
  expect(server.sockets).toHaveLength(2);
  server.welcome();
  expect(session.room.state).toBe("saving");
  server.keep();
  expect(server.text).toBe("bc");
  expect(session.room.state).toBe("saved");
});

test("an edit that was saved but not heard of is not sent twice", () => {
  const { server, session } = joined("a");
  session.room.text.insert(1, "b");
  for (const update of server.socket.updates()) Y.applyUpdate(server.doc, update);
  server.socket.close(1006);
  vi.advanceTimersByTime(1000);
  server.welcome();
  expect(session.room.state).toBe("saved");
  expect(server.text).toBe("ab");
});

test("a gap is filled without a word", () => {
  const { server, session } = joined("a");
  const rescued: Rescue[] = [];
  session.rescued.on((rescue) => rescued.push(rescue));
  session.room.text.insert(1, "b");
  server.socket.updates();
  server.socket.notice({ kind: "refused", code: "update_gap", message: "A gap." });
  session.room.text.insert(2, "c");
  server.ask();
  server.keep();
  expect(server.text).toBe("abc");
  expect([rescued, session.room.state]).toEqual([[], "saved"]);
});

test("a refusal keeps the text for its author and begins a new replica", () => {
  const { server, session } = joined("a", "viewer");
  const rescued: Rescue[] = [];
  session.rescued.on((rescue) => rescued.push(rescue));
  const before = session.room;
  before.text.insert(1, " forbidden");
  expect(server.socket.updates()).toHaveLength(1);
  const told = {
    kind: "refused",
    code: "not_allowed",
    message: "You may not.",
    hint: "Ask.",
  } as const;
  server.socket.notice(told);
  expect(rescued).toEqual([{ text: "a forbidden", told }]);
  server.welcome("viewer");
  expect(session.room.doc.clientID).not.toBe(before.doc.clientID);
  expect(session.room.text.toString()).toBe("a");
  expect(session.hasUnsaved).toBe(false);
});

test.each([
  ["an id of another client", Closed.foreignClient],
  ["an edit that is too large", Closed.tooLarge],
])("%s begins a new replica too", (_case, code) => {
  const { server, session } = joined("a");
  const before = session.room.doc.clientID;
  session.room.text.insert(1, "b");
  server.socket.close(code);
  server.welcome();
  expect(session.room.doc.clientID).not.toBe(before);
  expect(session.room.text.toString()).toBe("a");
});

test("a user who loses the right sees it, keeps unsaved words, and does not knock again", () => {
  const { server, session } = joined("a");
  const endings: unknown[] = [];
  session.ended.on((ending) => endings.push(ending));
  session.room.text.insert(1, "b");
  server.socket.close(Closed.noRights);
  vi.advanceTimersByTime(60_000);
  expect(endings).toEqual([{ code: Closed.noRights, reason: "", text: "ab" }]);
  expect(server.sockets).toHaveLength(1);
});

test("a server that is silent for 25 seconds is left, and tried again", () => {
  const { server, session } = joined("a");
  session.room.text.insert(1, "b");
  vi.advanceTimersByTime(24_000);
  expect(session.room.state).toBe("saving");
  vi.advanceTimersByTime(1_500);
  expect(session.room.state).toBe("offline");
  vi.advanceTimersByTime(1_000);
  expect(server.sockets.length).toBeGreaterThan(1);
});

test("a server that answers questions is not left", () => {
  const { server, session } = joined("a");
  for (let second = 0; second < 60; second += 5) {
    vi.advanceTimersByTime(5_000);
    server.socket.notice({ kind: "presence", people: [] });
  }
  expect(session.room.state).toBe("saved");
  expect(server.sockets).toHaveLength(1);
});

test("waiting for saved edits ends with the last of them", async () => {
  const { server, session } = joined("a");
  session.room.text.insert(1, "b");
  let isDone = false;
  const waiting = session.room.whenSaved().then(() => (isDone = true));
  session.room.text.insert(2, "c");
  server.keep();
  await Promise.resolve();
  expect(isDone).toBe(false);
  server.keep();
  await waiting;
  expect(server.text).toBe("abc");
});

test("waiting for saved edits does not last for ever", async () => {
  const { session } = joined("a");
  session.room.text.insert(1, "b");
  const waiting = expect(session.room.whenSaved()).rejects.toThrow("not saved yet");
  vi.advanceTimersByTime(10_000);
  await waiting;
});
