/** Who did something: a person, or an agent for a person. The colour never says it alone. */
import { Bot } from "lucide";
import { Icon } from "./icon";
import { partWords } from "./words";

export interface Actor {
  person?: string | null;
  agent?: string | null;
}

export function Who({ person, agent }: Actor) {
  if (agent) {
    return (
      <span class="who agent">
        <Icon of={Bot} />
        {person ? partWords().forPerson(agent, person) : agent}
      </span>
    );
  }
  return <span class="who person">{person || partWords().unknown}</span>;
}
