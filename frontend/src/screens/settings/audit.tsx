/** The audit log, by person, by what was done, and by date. */
import { ScrollText } from "lucide";
import { useEffect, useState } from "preact/hooks";
import type { PageAuditAnswer } from "../../../../docs/reference/page";
import { call } from "../../api/tools";
import { useAnswer } from "../../app/answers";
import { address, ask } from "../../app/location";
import { number } from "../../app/words";
import { Button } from "../../parts/button";
import { Choice, Field } from "../../parts/field";
import { folderName } from "../../parts/folder-name";
import { Head } from "../../parts/head";
import { tellError } from "../../parts/notices";
import { Empty, Shown } from "../../parts/state";
import { exactly, When } from "../../parts/time";
import { auditWords } from "./audit-words";

type Entry = PageAuditAnswer["entries"][number];

const LIMIT = 50;
const DAY_MS = 86_400_000;
const US_PER_MS = 1000;
// Details whose values are words of Strata, and those that are names of folders.
const CHOICES: ReadonlySet<string> = new Set(["role", "kind"]);
const PLACES: ReadonlySet<string> = new Set(["folder", "parent", "before"]);
// Of folders and teams, which tells a reader nothing.
const ID = /^[a-z]+_[0-9A-Z]{20,}$/u;

export default function AuditPart() {
  const words = auditWords();
  const query = address.value.searchParams;
  const given = {
    person: query.get("person") ?? "",
    action: query.get("action") ?? "",
    from: query.get("from") ?? "",
    to: query.get("to") ?? "",
  };
  const people = useAnswer(
    () => call("page_people", {}),
    [],
    () => false,
  );
  const fetchFrom = (before?: number) =>
    call("page_audit", {
      limit: LIMIT,
      ...(before === undefined ? {} : { before }),
      ...(given.person ? { personId: given.person } : {}),
      ...(given.action ? { action: given.action } : {}),
      ...(given.from ? { since: startOf(given.from) } : {}),
      ...(given.to ? { until: startOf(given.to, 1) } : {}),
    });
  const answer = useAnswer(
    () => fetchFrom(),
    [given],
    () => false,
  );
  const [more, setMore] = useState<PageAuditAnswer | null>(null);
  useEffect(() => setMore(null), [answer.value]);
  const next = more ? more.next : (answer.value?.next ?? null);
  const fetchMore = (): void =>
    void fetchFrom(next ?? undefined).then(
      (found) =>
        setMore((before) => ({
          ...found,
          entries: [...(before?.entries ?? []), ...found.entries],
        })),
      tellError,
    );
  const kinds = Object.entries(words.of).map(([value, label]) => ({
    value,
    label: label as string,
  }));
  return (
    <>
      <Head title={words.title} note={words.note} />
      <search class="pair">
        <Choice
          label={words.who}
          value={given.person}
          of={[
            { value: "", label: words.everybody },
            ...(people.value?.people ?? []).map((one) => ({ value: one.id, label: one.name })),
          ]}
          onChange={(person) => ask({ person }, { replaces: true })}
        />
        <Choice
          label={words.what}
          value={given.action}
          of={[{ value: "", label: words.all }, ...kinds]}
          onChange={(action) => ask({ action }, { replaces: true })}
        />
        <Field
          label={words.from}
          type="date"
          value={given.from}
          onInput={(from) => ask({ from }, { replaces: true })}
        />
        <Field
          label={words.to}
          type="date"
          value={given.to}
          onInput={(to) => ask({ to }, { replaces: true })}
        />
      </search>
      <Shown answer={answer}>
        {({ entries }) =>
          entries.length === 0 ? (
            <Empty icon={ScrollText} title={words.empty} />
          ) : (
            <>
              <ul class="card-list" aria-label={words.list}>
                {[...entries, ...(more?.entries ?? [])].map((entry) => (
                  <EntryRow key={entry.number} entry={entry} />
                ))}
              </ul>
              {next !== null && (
                <p class="actions actions-below">
                  <Button onClick={fetchMore}>{words.more}</Button>
                </p>
              )}
            </>
          )
        }
      </Shown>
    </>
  );
}

/** The beginning of a day where the user is, or of the day after it. */
function startOf(day: string, later = 0): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(new Date(year, month - 1, date).getTime() + later * DAY_MS).toISOString();
}

/** Whether a detail tells a reader nothing. */
function isNothing(value: unknown): boolean {
  return value === null || value === "" || value === 0 || (Array.isArray(value) && !value.length);
}

/** A detail in the language of the page: names of users and texts stay as they are. */
function inWords(action: string, name: string, value: unknown): string {
  const words: Record<string, string> = auditWords().values;
  if (typeof value === "boolean") return value ? words["yes"]! : words["no"]!;
  if (typeof value === "number")
    return name === "started" ? exactly(new Date(value / US_PER_MS).toISOString()) : number(value);
  if (Array.isArray(value)) return value.map(String).join("; ");
  if (typeof value !== "string") return JSON.stringify(value);
  if (CHOICES.has(name)) return words[value] ?? value;
  const isPlace = PLACES.has(name) && /^(document|folder)\./u.test(action);
  return isPlace ? folderName(value) : value;
}

function EntryRow({ entry }: { entry: Entry }) {
  const words = auditWords();
  const did = (words.did as Record<string, string>)[entry.action] ?? entry.action;
  const names: Record<string, string> = words.details;
  const details = Object.entries(entry.details)
    .filter(([, value]) => !isNothing(value) && !ID.test(String(value)))
    .map(([name, value]) => `${names[name] ?? name}: ${inWords(entry.action, name, value)}`);
  // The store itself needs no name beside what was done with it.
  const subject = entry.subject === "store" ? [] : [entry.subjectName ?? entry.subject];
  const about = [...subject, ...details];
  return (
    <li class="line">
      <div class="line-main">
        <p>
          <strong>{entry.who}</strong>
          {did}
        </p>
        <p class="quiet-text">{about.join(" · ")}</p>
      </div>
      <span class="quiet-text">
        <When at={entry.time} />
      </span>
    </li>
  );
}
