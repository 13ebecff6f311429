/** Who is here: other pages by what they say, everybody else by what the server knows. */
import type { Collaborator } from "../api/types";
import type { Room } from "../live/room";
import type { Present } from "../live/wire";
import { el, fill, icon } from "../page/elements";
import { safeColour } from "./colours";
import { initials } from "./names";

const SHOWN = 6;
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
    const name = user.via ? `${user.via} for ${user.name}` : (user.name ?? "A user");
    const colour = safeColour(user.color);
    found.set(id, { id, name, colour, via: user.via ?? null, detail: "on this page", isMe });
  }
  for (const one of others) {
    const id = idOf(one);
    if (!found.has(id)) found.set(id, fromPresence(id, one));
  }
  return [...found.values()].sort((a, b) => Number(b.isMe) - Number(a.isMe));
}

function fromPresence(id: string, one: Present): Person {
  const isAgent = one.entityType === "agent";
  const name = isAgent ? `${one.via ?? "agent"} for ${one.name}` : one.name;
  const detail = one.section ? `${one.status} ${one.section}` : one.status;
  const via = isAgent ? (one.via ?? "agent") : null;
  return { id, name, colour: safeColour(one.colour), via, detail, isMe: false };
}

export class PresenceBar {
  constructor(
    private readonly list: HTMLElement,
    private readonly ask: () => Promise<Collaborator[]>,
  ) {}

  /** Follows a room from now on; the result ends that. */
  follow(room: Room): () => void {
    let others: readonly Present[] | null = null;
    const draw = (): void => this.draw(peopleIn(room, others ?? []));
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
    void this.ask().then(
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

  private draw(people: Person[]): void {
    const chips = people.slice(0, SHOWN).map(chip);
    const hidden = people.length - chips.length;
    const more = hidden > 0 ? el("li", { class: "chip chip-more" }, `+${hidden}`) : null;
    fill(this.list, ...chips, more);
  }
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

function chip(person: Person): HTMLElement {
  const label = `${person.name}${person.isMe ? " (you)" : ""}, ${person.detail}`;
  const kind = person.via ? "chip chip-agent" : "chip";
  const inside = person.via ? icon("agent") : initials(person.name);
  const words = el("span", { class: "sr-only" }, label);
  const shown = el("span", { aria: { hidden: "true" } }, inside);
  const item = el("li", { class: kind, title: label, data: { person: person.id } }, shown, words);
  item.style.setProperty("--who", person.colour);
  return item;
}
