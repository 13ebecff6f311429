/** Who is here: other pages by what they say, everybody else by what the server knows. */
import type { Collaborator } from "../api/types";
import type { Room } from "../live/room";
import type { Present } from "../live/wire";
import { partWords } from "../parts/words";
import { safeColour } from "./colours";
import { peopleWords } from "./words";

// As long as the server counts a silent client as present.
const FORGET_MS = 30_000;

export interface Person {
  id: string;
  name: string;
  colour: string;
  via: string | null;
  detail: string;
  isMe: boolean;
}

/** Everybody once, oneself first. */
export function peopleIn(room: Room, others: readonly Present[]): Person[] {
  const found = new Map<string, Person>();
  for (const [client, state] of room.awareness.getStates()) {
    const user = (state["user"] ?? {}) as {
      id?: string;
      name?: string;
      color?: string;
      via?: string;
    };
    if (!user.id) continue;
    const id = user.via ? `${user.id}/${user.via}` : user.id;
    const isMe = client === room.doc.clientID || found.get(id)?.isMe === true;
    const name = user.via
      ? partWords().forPerson(user.via, user.name ?? "")
      : (user.name ?? peopleWords().user);
    const colour = safeColour(user.color);
    found.set(id, { id, name, colour, via: user.via ?? null, detail: peopleWords().here, isMe });
  }
  for (const one of others) {
    const id = idOf(one);
    if (!found.has(id)) found.set(id, fromPresence(id, one));
  }
  return [...found.values()].sort((a, b) => Number(b.isMe) - Number(a.isMe));
}

function fromPresence(id: string, one: Present): Person {
  const isAgent = one.entityType === "agent";
  const name = isAgent ? partWords().forPerson(one.via ?? peopleWords().agent, one.name) : one.name;
  const status = peopleWords()[one.status];
  const detail = one.section ? `${status} ${one.section}` : status;
  const via = isAgent ? (one.via ?? peopleWords().agent) : null;
  return { id, name, colour: safeColour(one.colour), via, detail, isMe: false };
}

export interface Watch {
  /** Asks the server who is here. */
  ask: () => Promise<Collaborator[]>;
  show: (people: Person[]) => void;
}

/** Shows who is here from now on; the result ends that. */
export function followPresence(room: Room, { ask, show }: Watch): () => void {
  let others: readonly Present[] | null = null;
  const draw = (): void => show(peopleIn(room, others ?? []));
  const know = (people: readonly Present[] | null): void => {
    others = people;
    draw();
  };
  let forget: ReturnType<typeof setTimeout> | undefined;
  const stop = room.presence.on((people) => {
    clearTimeout(forget);
    know(people);
  });
  room.awareness.on("change", draw);
  draw();
  // The room tells of changes; who was there before has to be asked for. The page works
  // without it.
  void ask().then(
    (found) => {
      if (others !== null) return;
      know(elsewhere(room, found.map(present)));
      forget = setTimeout(() => know(null), FORGET_MS);
    },
    () => undefined,
  );
  return () => {
    clearTimeout(forget);
    stop();
    room.awareness.off("change", draw);
  };
}

/** Those who are not seen in the room itself, which knows better when they leave. */
function elsewhere(room: Room, people: Present[]): Present[] {
  const here = new Set(peopleIn(room, []).map((one) => one.id));
  return people.filter((one) => !here.has(idOf(one)));
}

function idOf(one: Present): string {
  return one.via ? `${one.person}/${one.via}` : one.person;
}

function present(one: Collaborator): Present {
  const { entityType, status, userId: person, displayName: name, color: colour } = one;
  return {
    entityType,
    status,
    person,
    name,
    colour,
    via: one.via ?? null,
    section: one.activeSection ?? null,
  };
}
