/** The events, those recorded last first, under the days on which that was. */
import { useEffect, useState } from "preact/hooks";
import type { PageEventsAnswer } from "../../../../docs/reference/page";
import { call } from "../../api/tools";
import { useAnswer } from "../../app/answers";
import { useKeys } from "../../app/keys";
import { address, ask, link } from "../../app/location";
import { Button } from "../../parts/button";
import { tellError } from "../../parts/notices";
import { Empty, Shown } from "../../parts/state";
import { exactly } from "../../parts/time";
import { Who } from "../../parts/who";
import { partWords } from "../../parts/words";
import { dayInWords, dayOf, endOf, timeInWords } from "./days";
import { isAboutEvents } from "./screen";
import { eventWords } from "./words";

type EventLine = PageEventsAnswer["events"][number];

const PAGE = 100;

export interface StreamProps {
  type: string | null;
  namespace: string | null;
  /** The number of the event that is open. */
  chosen: number | null;
}

export function Stream({ type, namespace, chosen }: StreamProps) {
  const words = eventWords();
  const day = address.value.searchParams.get("until");
  const asked = {
    limit: PAGE,
    ...(type ? { type } : {}),
    ...(namespace ? { namespace } : {}),
    ...(day ? { until: endOf(day) } : {}),
  };
  const answer = useAnswer(() => call("page_events", asked), [type, namespace, day], isAboutEvents);
  const [others, setOthers] = useState<{ events: EventLine[]; next: string | null } | null>(null);
  useEffect(() => setOthers(null), [answer.value]);
  const all = [...(answer.value?.events ?? []), ...(others?.events ?? [])];
  const [at, setAt] = useState<number | null>(chosen);
  useEffect(() => setAt(chosen), [chosen]);
  const move = (step: number): void => {
    const place = all.findIndex((event) => event.sequence === at);
    setAt(all[Math.max(0, Math.min(place + step, all.length - 1))]?.sequence ?? null);
  };
  useKeys([
    { keys: "j", label: words.next, act: () => move(1) },
    { keys: "k", label: words.previous, act: () => move(-1) },
    { keys: "Enter", label: words.open, act: () => at && ask({ id: at }) },
  ]);
  const more = (cursor: string): void =>
    void call("page_events", { ...asked, cursor }).then(
      (found) =>
        setOthers((before) => ({
          events: [...(before?.events ?? []), ...found.events],
          next: found.next,
        })),
      tellError,
    );
  return (
    <Shown answer={answer}>
      {(found) => {
        const next = others ? others.next : found.next;
        if (all.length === 0)
          return <Empty title={day || !type ? words.noneBefore : words.noneOfType(type)} />;
        return (
          <>
            <ol class="stream" aria-label={words.list}>
              {byDay(all).map(([name, events]) => (
                <li key={`${name} ${events[0]?.sequence}`}>
                  <h2>{dayInWords(name)}</h2>
                  <ol class="card-list">
                    {events.map((event) => (
                      <EventRow
                        key={event.sequence}
                        event={event}
                        hasType={type === null}
                        isOpen={event.sequence === chosen}
                        isChosen={event.sequence === at}
                      />
                    ))}
                  </ol>
                </li>
              ))}
            </ol>
            {next && <Button onClick={() => more(next)}>{partWords().loadMore}</Button>}
          </>
        );
      }}
    </Shown>
  );
}

function byDay(events: readonly EventLine[]): [string, EventLine[]][] {
  const found: [string, EventLine[]][] = [];
  for (const event of events) {
    const day = dayOf(event.recorded ?? 0);
    const last = found.at(-1);
    if (last?.[0] === day) last[1].push(event);
    else found.push([day, [event]]);
  }
  return found;
}

interface EventRowProps {
  event: EventLine;
  hasType: boolean;
  isOpen: boolean;
  isChosen: boolean;
}

function EventRow({ event, hasType, isOpen, isChosen }: EventRowProps) {
  const given = Object.fromEntries(address.value.searchParams);
  return (
    <li class={isChosen ? "chosen" : undefined}>
      <a
        class="event-row"
        href={link(address.value.pathname, { ...given, id: event.sequence })}
        aria-current={isOpen ? "true" : undefined}
      >
        {event.recorded && (
          <time dateTime={event.recorded} title={exactly(event.recorded)}>
            {timeInWords(event.recorded)}
          </time>
        )}
        {hasType && <span class="tag">{event.type}</span>}
        <span class="event-value">
          {event.state === "live" ? event.value : eventWords().erased}
        </span>
        <Who {...event.who} />
      </a>
    </li>
  );
}
