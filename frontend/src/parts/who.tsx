/** Who did something: a person, or an agent for a person. The colour never says it alone. */
import { Bot } from "lucide";
import type { Doer } from "../api/types";
import { Icon } from "./icon";
import { partWords } from "./words";

/** Shows nothing where no author is known. A name of no user is shown as neither of both. */
export function Who({ person, agent, label }: Doer) {
  if (agent) {
    return (
      <span class="who agent">
        <Icon of={Bot} />
        {person ? partWords().forPerson(agent, person) : agent}
      </span>
    );
  }
  if (person) return <span class="who person">{person}</span>;
  return label ? <span class="who">{label}</span> : null;
}
