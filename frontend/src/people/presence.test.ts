import { expect, test } from "vitest";
import { Awareness } from "y-protocols/awareness";
import * as Y from "yjs";
import type { Room } from "../live/room";
import type { Present } from "../live/wire";
import { peopleIn } from "./presence";

function roomOf(...users: object[]): Room {
  const doc = new Y.Doc();
  const awareness = new Awareness(doc);
  awareness.setLocalState({ user: { id: "user_me", name: "Ann", color: "#112233" } });
  users.forEach((user, index) => awareness.states.set(index + 1, { user }));
  awareness.destroy = () => undefined;
  return { doc, awareness } as unknown as Room;
}

const AGENT: Present = {
  person: "user_me",
  name: "Ann",
  via: "writer",
  entityType: "agent",
  status: "editing",
  section: "계획 > 위험",
  colour: "#445566",
};

test("everybody is shown once, oneself first, however many pages they have open", () => {
  const room = roomOf(
    { id: "user_2", name: "소연" },
    { id: "user_2", name: "소연" },
    { id: "user_me", name: "Ann" },
  );
  const people = peopleIn(room, [{ ...AGENT, via: null, entityType: "person" }]);
  expect(people.map((one) => [one.name, one.isMe])).toEqual([
    ["Ann", true],
    ["소연", false],
  ]);
});

test("an agent is listed beside the user it acts for", () => {
  const [me, agent] = peopleIn(roomOf(), [AGENT]);
  expect(me?.via).toBeNull();
  expect(agent).toMatchObject({
    name: "writer for Ann",
    via: "writer",
    detail: "editing 계획 > 위험",
  });
});

test("a client that says nothing of itself is not listed", () => {
  expect(peopleIn(roomOf({}, { name: "no id" }), [])).toHaveLength(1);
});
