/** What happened: a stream, newest first, with how much of each type there was a day. */
import { Zap } from "lucide";
import type { PageEventTypesAnswer } from "../../../../docs/reference/page";
import { call } from "../../api/tools";
import { useAnswer } from "../../app/answers";
import type { Change } from "../../app/feed";
import { address, ask, link, time } from "../../app/location";
import type { ScreenProps } from "../../app/routes";
import { number } from "../../app/words";
import { Bars } from "../../parts/bars";
import { Button } from "../../parts/button";
import { Commands } from "../../parts/commands";
import { Choice, Field } from "../../parts/field";
import { Head } from "../../parts/head";
import { Empty, Shown } from "../../parts/state";
import { dayInWords, endOf, lastDays } from "./days";
import { EventPanel } from "./event";
import { Stream } from "./stream";
import { eventWords } from "./words";
import "./events.css";

const DAYS = 30;

export const isAboutEvents = (change: Change): boolean => change.kinds.includes("event");

export default function EventsScreen({ params }: ScreenProps) {
  const words = eventWords();
  const given = address.value.searchParams;
  const type = params["type"] || given.get("type");
  const namespace = given.get("namespace");
  const answer = useAnswer(
    () =>
      call("page_event_types", {
        days: DAYS,
        utcOffsetMin: -new Date().getTimezoneOffset(),
        ...(namespace ? { namespace } : {}),
      }),
    [namespace],
    isAboutEvents,
  );
  const id = Number((given.get("id") ?? "").split("/").at(-1));
  const found = answer.value;
  return (
    <div class={id ? "screen wide events open" : "screen wide events"}>
      <Head title={type ?? words.title} {...(found ? { note: countOf(found, type) } : {})} />
      <Shown answer={answer}>
        {(types) =>
          types.total === 0 && types.namespaces.every((one) => one.events === 0) ? (
            <None />
          ) : (
            <div class="events-panes">
              <Types types={types} type={type} namespace={namespace} />
              <div class="events-stream">
                <Daily types={types} type={type} />
                <Jump />
                <Stream type={type} namespace={namespace} chosen={id || null} />
              </div>
              {id > 0 && <EventPanel sequence={id} namespace={namespace} />}
            </div>
          )
        }
      </Shown>
    </div>
  );
}

function countOf(found: PageEventTypesAnswer, type: string | null): string {
  const words = eventWords();
  if (type === null) return words.count(found.total);
  const one = found.types.find((line) => line.type === type);
  return one?.isMore ? words.countMore(one.count) : words.count(one?.count ?? 0);
}

function None() {
  const words = eventWords();
  if (time.value !== null) return <Empty icon={Zap} title={words.emptyPast} />;
  return (
    <Empty icon={Zap} title={words.empty}>
      <p>
        <Commands text={words.emptyHint} />
      </p>
    </Empty>
  );
}

interface TypesProps {
  types: PageEventTypesAnswer;
  type: string | null;
  namespace: string | null;
}

function Types({ types, type, namespace }: TypesProps) {
  const words = eventWords();
  const spaces = types.namespaces.filter((one) => one.events > 0 || one.name === types.namespace);
  return (
    <nav class="event-types" aria-label={words.types}>
      {spaces.length > 1 && (
        <Choice
          label={words.namespace}
          value={types.namespace}
          of={spaces.map((one) => ({
            value: one.name,
            label: `${one.name} (${number(one.events)})`,
          }))}
          onChange={(name) => ask({ namespace: name, id: null, until: null })}
        />
      )}
      <ul>
        <li>
          <a
            href={link("/events", { namespace })}
            aria-current={type === null ? "true" : undefined}
          >
            <span>{words.allTypes}</span>
            <span class="count">{number(types.total)}</span>
          </a>
        </li>
        {types.types.map((one) => (
          <li key={one.type}>
            <a
              href={typeLink(one.type, namespace)}
              aria-current={one.type === type ? "true" : undefined}
            >
              <span class="event-type">{one.type}</span>
              <span class="count">{`${number(one.count)}${one.isMore ? "+" : ""}`}</span>
              <Bars counts={one.days} height={16} />
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function typeLink(type: string, namespace: string | null): string {
  const parts = type.split("/");
  // A path cannot hold parts that are empty or dots.
  if (parts.some((part) => ["", ".", ".."].includes(part)))
    return link("/events", { type, namespace });
  return link(`/events/${parts.map(encodeURIComponent).join("/")}`, { namespace });
}

/** How many there were each day; a click on a day leads there. */
function Daily({ types, type }: { types: PageEventTypesAnswer; type: string | null }) {
  const words = eventWords();
  const days = lastDays(DAYS);
  const shown = types.types.filter((one) => type === null || one.type === type);
  const counts = days.map((_, day) => shown.reduce((sum, one) => sum + (one.days[day] ?? 0), 0));
  const most = words.most(Math.max(...counts));
  return (
    <figure class="daily">
      <Bars
        counts={counts}
        height={56}
        label={`${words.perDay(DAYS)}; ${most}`}
        title={(index) => words.onDay(dayInWords(days[index] ?? ""), counts[index] ?? 0)}
        onChoose={(index) => ask({ until: days[index] ?? null, id: null })}
      />
      <figcaption>
        <span>{words.perDay(DAYS)}</span>
        <span>{most}</span>
      </figcaption>
    </figure>
  );
}

/** Leads to a day; the stream begins with its last event. */
function Jump() {
  const words = eventWords();
  const until = address.value.searchParams.get("until") ?? "";
  return (
    <div class="jump">
      <Field
        type="date"
        label={words.jump}
        value={until}
        onInput={(day) => isDay(day) && ask({ until: day, id: null })}
      />
      {until && <Button onClick={() => ask({ until: null })}>{words.toNow}</Button>}
    </div>
  );
}

function isDay(text: string): boolean {
  return text === "" || !Number.isNaN(Date.parse(endOf(text)));
}
