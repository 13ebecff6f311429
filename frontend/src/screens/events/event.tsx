/** One event whole: what it says, when it happened, and who recorded it. */
import { X } from "lucide";
import { call } from "../../api/tools";
import { useAnswer } from "../../app/answers";
import { ask } from "../../app/location";
import { Button } from "../../parts/button";
import { Shown } from "../../parts/state";
import { exactly } from "../../parts/time";
import { Value } from "../../parts/value";
import { Who } from "../../parts/who";
import { eventWords } from "./words";

export function EventPanel({
  sequence,
  namespace,
}: {
  sequence: number;
  namespace: string | null;
}) {
  const words = eventWords();
  const answer = useAnswer(
    () => call("page_event", { sequence, ...(namespace ? { namespace } : {}) }),
    [sequence, namespace],
    () => false,
  );
  return (
    <section class="event" aria-label={words.event(sequence)}>
      <header>
        <h2>{words.event(sequence)}</h2>
        <Button kind="quiet" icon={X} label={words.close} onClick={() => ask({ id: null })} />
      </header>
      <Shown answer={answer}>
        {(event) => (
          <>
            <dl class="event-facts">
              <dt>{words.type}</dt>
              <dd>{event.type}</dd>
              <dt>{words.happened}</dt>
              <dd>{event.when && exactly(event.when)}</dd>
              {event.recorded !== event.when && event.recorded && (
                <>
                  <dt>{words.recorded}</dt>
                  <dd>{exactly(event.recorded)}</dd>
                </>
              )}
              <dt>{words.by}</dt>
              <dd>
                <Who {...event.who} />
              </dd>
              <dt>{words.hash}</dt>
              <dd class="hash">{event.hash}</dd>
            </dl>
            {event.state === "live" ? (
              <Value value={event.payload} name={`${words.payload} ${event.type} ${sequence}`} />
            ) : (
              <p class="quiet-text">{words.erased}</p>
            )}
          </>
        )}
      </Shown>
    </section>
  );
}
