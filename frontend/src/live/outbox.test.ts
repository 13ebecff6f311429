import { expect, test } from "vitest";
import * as Y from "yjs";
import { Outbox } from "./outbox";

function updatesOf(...words: string[]): Uint8Array[] {
  const doc = new Y.Doc();
  const found: Uint8Array[] = [];
  doc.on("update", (update: Uint8Array) => found.push(update));
  for (const word of words) doc.getText("content").insert(0, word);
  return found;
}

function textOf(...updates: Uint8Array[]): string {
  const doc = new Y.Doc();
  for (const update of updates) Y.applyUpdate(doc, update);
  return doc.getText("content").toString();
}

test("one message is under way at a time, and the rest goes as one", () => {
  const outbox = new Outbox();
  const [first, second, third] = updatesOf("다", "나", "가") as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ];
  outbox.put(first);
  const sent = outbox.take();
  outbox.put(second);
  outbox.put(third);
  expect(outbox.take()).toBeNull();
  outbox.settled();
  expect(outbox.hasUnsaved).toBe(true);
  const rest = outbox.take();
  expect(textOf(sent!, rest!)).toBe("가나다");
  outbox.settled();
  expect(outbox.hasUnsaved).toBe(false);
});

test("what was under way when the connection broke is not taken for saved", () => {
  const outbox = new Outbox();
  outbox.put(updatesOf("a")[0]!);
  outbox.take();
  outbox.forget();
  outbox.settled();
  expect(outbox.hasUnsaved).toBe(true);
  outbox.takeAll();
  outbox.settled();
  expect(outbox.hasUnsaved).toBe(false);
});

test("a server that lacks nothing has everything", () => {
  const outbox = new Outbox();
  outbox.put(updatesOf("a")[0]!);
  outbox.takeAll(true);
  expect(outbox.hasUnsaved).toBe(false);
  expect(outbox.take()).toBeNull();
});
