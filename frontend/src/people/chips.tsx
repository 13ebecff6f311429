/** Who is here, as a row of circles; agents are square. */
import { Bot } from "lucide";
import { Icon } from "../parts/icon";
import { initials } from "./names";
import type { Person } from "./presence";
import { peopleWords } from "./words";

const SHOWN = 6;

export function People({ people }: { people: readonly Person[] }) {
  const words = peopleWords();
  const hidden = people.length - SHOWN;
  return (
    <ul class="people" aria-label={words.people}>
      {people.slice(0, SHOWN).map((person) => (
        <Chip key={person.id} person={person} />
      ))}
      {hidden > 0 && <li class="chip chip-more">{words.more(hidden)}</li>}
    </ul>
  );
}

function Chip({ person }: { person: Person }) {
  const name = person.isMe ? peopleWords().me(person.name) : person.name;
  const label = `${name}, ${person.detail}`;
  return (
    <li
      class={person.via ? "chip chip-agent" : "chip"}
      title={label}
      data-person={person.id}
      style={{ "--who": person.colour }}
    >
      <span aria-hidden="true">{person.via ? <Icon of={Bot} /> : initials(person.name)}</span>
      <span class="sr-only">{label}</span>
    </li>
  );
}
