import { expect, test } from "vitest";
import * as Y from "yjs";
import type { Room } from "../live/room";
import { Anchors } from "./anchors";
import type { Author } from "../live/wire";
import { characterAt, partsOf, type Run, runsOf, sentencesOf } from "./authorship";
import { areAlike, headingPath, headingsOf } from "./headings";

const TEXT = "# 계획\n\none\n\n## Risks #\n\n```\n# not a heading\n```\n\nhere\n\n# Next\n\nend";

test("a place knows the headings above it, and fences hold none", () => {
  expect(headingPath(TEXT, TEXT.indexOf("one"))).toEqual(["계획"]);
  expect(headingPath(TEXT, TEXT.indexOf("here"))).toEqual(["계획", "Risks"]);
  expect(headingPath(TEXT, TEXT.indexOf("end"))).toEqual(["Next"]);
  expect(headingPath("plain", 3)).toEqual([]);
});

test("every part of a text has its own writer, and an unknown one has none", () => {
  const person = new Y.Doc();
  const agent = new Y.Doc();
  agent.getText("content").insert(0, "에이전트 wrote 👩‍👩‍👧");
  Y.applyUpdate(person, Y.encodeStateAsUpdate(agent));
  const text = person.getText("content");
  text.insert(4, "!!");
  const by = { person: "user_1", name: "Ann" };
  const authors = new Map<number, Author>([[agent.clientID, { ...by, via: "writer" }]]);
  const words = (found: Run[]) => found.map(({ from, to }) => text.toString().slice(from, to));
  expect(words(runsOf(text, authors))).toEqual(["에이전트", " wrote 👩‍👩‍👧"]);
  authors.set(person.clientID, by);
  const found = runsOf(text, authors);
  expect(words(found)).toEqual(["에이전트", "!!", " wrote 👩‍👩‍👧"]);
  expect(found.map(({ author }) => author.via ?? "a person")).toEqual([
    "writer",
    "a person",
    "writer",
  ]);
});

test("a character is known by the replica that wrote it, also behind deleted words", () => {
  const doc = new Y.Doc();
  const text = doc.getText("content");
  text.insert(0, "한글 gone 계획");
  text.delete(3, 5);
  const other = new Y.Doc();
  Y.applyUpdate(other, Y.encodeStateAsUpdate(doc));
  other.getText("content").insert(2, "!");
  Y.applyUpdate(doc, Y.encodeStateAsUpdate(other));
  expect(text.toString()).toBe("한글! 계획");
  expect(characterAt(text, 1)).toEqual({ client: doc.clientID, clock: 1 });
  expect(characterAt(text, 2)).toEqual({ client: other.clientID, clock: 0 });
  expect(characterAt(text, 4)).toEqual({ client: doc.clientID, clock: 8 });
  expect(characterAt(text, 6)).toBeNull();
});

test("where one points, the time is told, and the task where an agent wrote", () => {
  const when = "2020-05-04T12:00:00Z";
  const [time, task] = partsOf({ when, who: { task: "task 1" } });
  expect(time?.getAttribute("datetime")).toBe(when);
  expect(time?.textContent).toContain("2020");
  expect(task?.getAttribute("href")).toBe("/tasks/task%201");
  expect(partsOf({ when, who: { task: null } })).toHaveLength(1);
});

test("an outline stays the same while words are typed between its headings", () => {
  const before = headingsOf("# 계획\n\none\n\n## Risks\n");
  expect(areAlike(before, headingsOf("# 계획\n\none and two\n\n## Risks\n"))).toBe(true);
  expect(areAlike(before, headingsOf("# 계획\n\none\n\n### Risks\n"))).toBe(false);
  expect(areAlike(before, headingsOf("# 계획\n"))).toBe(false);
});

test("a sentence that a person and an agent wrote shows both", () => {
  const ann = { person: "user_1", name: "Ann" };
  const text = "사람이 썼다. Both wrote this. 모른다.";
  const both = text.indexOf("Both");
  const runs: Run[] = [
    { from: 0, to: both + 4, author: ann },
    { from: both + 4, to: text.indexOf(" 모"), author: { ...ann, via: "writer" } },
  ];
  const found = sentencesOf(text, runs);
  expect(found.map(({ kinds }) => kinds)).toEqual([["person"], ["person", "agent"]]);
});

function roomWith(text: string, hasUnsaved = false): Room {
  const doc = new Y.Doc();
  doc.getText("content").insert(0, text);
  return { doc, text: doc.getText("content"), hasUnsaved } as unknown as Room;
}

test("a place follows its words, not what is typed beside them", () => {
  const room = roomWith("한글 words 🙂 end");
  const anchors = new Anchors(room);
  expect(anchors.take("cmt_1", { start: 3, end: 8 }, "words")).toBe(true);
  room.text.insert(0, "🚀🚀 ");
  room.text.insert(room.text.toString().indexOf(" 🙂"), "!");
  const place = anchors.placeOf("cmt_1")!;
  expect(room.text.toString().slice(place.from, place.to)).toBe("words");
});

test("a place that does not fit yet is asked for again, and a known one is kept", () => {
  const room = roomWith("typed before: words", true);
  const anchors = new Anchors(room);
  expect(anchors.take("cmt_1", { start: 0, end: 5 }, "words")).toBe(false);
  expect(anchors.placeOf("cmt_1")).toBeNull();
  expect(anchors.take("cmt_1", { start: 14, end: 19 }, "words")).toBe(true);
  expect(anchors.take("cmt_1", { start: 0, end: 5 }, "words")).toBe(true);
  expect(anchors.placeOf("cmt_1")).toEqual({ from: 14, to: 19 });
});

test("an orphan has no place", () => {
  const anchors = new Anchors(roomWith("words"));
  anchors.take("cmt_1", { start: 0, end: 5 }, "words");
  anchors.take("cmt_1", { orphaned: true }, "words");
  expect(anchors.placeOf("cmt_1")).toBeNull();
});
