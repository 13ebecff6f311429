/** Finds everything: facts, decisions, events, documents; says honestly when there is nothing. */
import { SearchX } from "lucide";
import { useEffect, useState } from "preact/hooks";
import { call } from "../../api/tools";
import { useAnswer } from "../../app/answers";
import { address, ask } from "../../app/location";
import { Choice } from "../../parts/field";
import { Head } from "../../parts/head";
import { HitRow } from "../../parts/hit";
import { Empty, Shown } from "../../parts/state";
import { findWords } from "./words";
import "./find.css";

const TYPING_MS = 150;
const LIMIT = 30;
const DAY_MS = 86_400_000;
const DAYS = { day: 1, week: 7, month: 30 } as const;
type Since = "" | keyof typeof DAYS;
type Kind = "" | "fact" | "decision" | "event" | "document";

export default function FindScreen() {
  const words = findWords();
  const given = address.value.searchParams;
  const query = given.get("q") ?? "";
  const [typed, type] = useState(query);
  useEffect(() => {
    const timer = setTimeout(() => ask({ q: typed.trim() }, { replaces: true }), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  useEffect(() => type((now) => (now.trim() === query ? now : query)), [query]);
  const change = (name: string) => (value: string) => ask({ [name]: value });
  const kinds: { value: Kind; label: string }[] = [
    { value: "", label: words.anything },
    { value: "fact", label: words.fact },
    { value: "decision", label: words.decision },
    { value: "event", label: words.event },
    { value: "document", label: words.document },
  ];
  const times: { value: Since; label: string }[] = [
    { value: "", label: words.ever },
    { value: "day", label: words.day },
    { value: "week", label: words.week },
    { value: "month", label: words.month },
  ];
  return (
    <div class="screen">
      <Head title={words.title} />
      <search class="find">
        <input
          type="search"
          class="find-input"
          autofocus
          aria-label={words.label}
          placeholder={words.label}
          value={typed}
          onInput={(event) => type(event.currentTarget.value)}
        />
        <Choice
          label={words.kind}
          value={(given.get("kind") ?? "") as Kind}
          of={kinds}
          onChange={change("kind")}
        />
        <Choice
          label={words.since}
          value={(given.get("since") ?? "") as Since}
          of={times}
          onChange={change("since")}
        />
        <By value={given.get("by") ?? ""} onChange={change("by")} />
      </search>
      {query ? <Results query={query} /> : <p class="quiet-text">{words.start}</p>}
    </div>
  );
}

function By({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const words = findWords();
  const [typed, type] = useState(value);
  return (
    <div class="field">
      <label for="find-by">{words.by}</label>
      <input
        id="find-by"
        type="text"
        placeholder={words.anyone}
        value={typed}
        onInput={(event) => type(event.currentTarget.value)}
        onChange={() => onChange(typed.trim())}
      />
    </div>
  );
}

function Results({ query }: { query: string }) {
  const words = findWords();
  const given = address.value.searchParams;
  const kind = given.get("kind") ?? "";
  const by = given.get("by") ?? "";
  const since = (given.get("since") ?? "") as Since;
  const answer = useAnswer(
    () =>
      call("page_find", {
        query,
        limit: LIMIT,
        ...(kind ? { kinds: [kind] } : {}),
        ...(by ? { by } : {}),
        ...(since ? { since: new Date(Date.now() - DAYS[since] * DAY_MS).toISOString() } : {}),
      }),
    [query, kind, by, since],
  );
  return (
    <Shown answer={answer}>
      {(found) =>
        found.hits.length > 0 ? (
          <ul class="hits" aria-label={words.results}>
            {found.hits.map((hit) => (
              <li key={`${hit.kind} ${hit.id}`}>
                <HitRow hit={hit} why={hit.why === "words" ? words.whyWords : words.whyMeaning} />
              </li>
            ))}
          </ul>
        ) : (
          <Empty icon={SearchX} title={words.nothing}>
            {found.missing?.length ? <p>{words.missing(found.missing.join(", "))}</p> : null}
            {found.nearest && (
              <>
                <p>{words.nearest}</p>
                <div class="hits nearest">
                  <HitRow hit={found.nearest} />
                </div>
              </>
            )}
            <p>{words.tryThis}</p>
          </Empty>
        )
      }
    </Shown>
  );
}
