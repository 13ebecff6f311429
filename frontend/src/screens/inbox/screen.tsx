/** What waits for the user: one list, worked off by keys; then what changed lately. */
import { Inbox } from "lucide";
import { useEffect, useRef, useState } from "preact/hooks";
import { call } from "../../api/tools";
import { useAnswer } from "../../app/answers";
import { useKeys, type Key } from "../../app/keys";
import { go, link } from "../../app/location";
import { Button } from "../../parts/button";
import { Diff } from "../../parts/diff";
import { Head } from "../../parts/head";
import { HitRow } from "../../parts/hit";
import { tell, tellError } from "../../parts/notices";
import { Empty, Shown } from "../../parts/state";
import { When } from "../../parts/time";
import { Who } from "../../parts/who";
import { inboxWords } from "./words";
import "./inbox.css";

const LIMIT = 50;

type InboxItem = Awaited<ReturnType<typeof call<"page_inbox">>>["items"][number];

/** What one can do with an item, with its key. */
const ACTS = {
  accept: "a",
  reject: "r",
  resolve: "e",
} as const;
type Act = keyof typeof ACTS;

export default function InboxScreen() {
  const words = inboxWords();
  const answer = useAnswer(() => call("page_inbox", { limit: LIMIT }), []);
  const [done, setDone] = useState<ReadonlySet<string>>(new Set());
  const [chosen, choose] = useState(0);
  const items = (answer.value?.items ?? []).filter((item) => !done.has(item.id));
  useEffect(() => setDone(new Set()), [answer.value]);
  const act = async (item: InboxItem, what: Act): Promise<void> => {
    setDone((before) => new Set([...before, item.id]));
    try {
      await carryOut(item, what);
      tell(said(what));
    } catch (error) {
      setDone((before) => new Set([...before].filter((id) => id !== item.id)));
      tellError(error);
    }
    answer.reload();
  };
  const now = items[Math.min(chosen, items.length - 1)];
  const keys: Key[] = [
    { keys: "j", label: words.next, act: () => choose(Math.min(chosen + 1, items.length - 1)) },
    { keys: "k", label: words.previous, act: () => choose(Math.max(chosen - 1, 0)) },
    { keys: "Enter", label: words.open, act: () => now && go(pathOf(now)) },
    ...(Object.keys(ACTS) as Act[]).map((what) => ({
      keys: ACTS[what],
      label: words[what],
      act: () => void (now?.can.includes(what) && act(now, what)),
    })),
  ];
  useKeys(keys);
  return (
    <div class="screen">
      <Head title={words.title} {...(items.length ? { note: words.waiting(items.length) } : {})} />
      <Shown answer={answer}>
        {({ recent }) => (
          <>
            {items.length === 0 ? (
              <div class="inbox-empty">
                <Empty icon={Inbox} title={words.empty}>
                  <p>{words.emptyHint}</p>
                </Empty>
              </div>
            ) : (
              <ul class="card-list" aria-label={words.items}>
                {items.map((item) => (
                  <ItemRow key={item.id} item={item} isChosen={item === now} act={act} />
                ))}
              </ul>
            )}
            <h2 class="section-title">{words.recent}</h2>
            {recent.length === 0 ? (
              <p class="quiet-text">{words.noRecent}</p>
            ) : (
              <ul class="hits" aria-label={words.recent}>
                {recent.map((one) => (
                  <li key={`${one.kind} ${one.id}`}>
                    <HitRow hit={one} />
                  </li>
                ))}
              </ul>
            )}
          </>
        )}
      </Shown>
    </div>
  );
}

function ItemRow(given: {
  item: InboxItem;
  isChosen: boolean;
  act: (item: InboxItem, what: Act) => Promise<void>;
}) {
  const { item, isChosen, act } = given;
  const words = inboxWords();
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isChosen) row.current?.scrollIntoView({ block: "nearest" });
  }, [isChosen]);
  const acts = (Object.keys(ACTS) as Act[]).filter((what) => item.can.includes(what));
  return (
    <li ref={row} class="inbox-item" aria-current={isChosen ? "true" : undefined}>
      <p class="inbox-head">
        <span class={`inbox-kind ${item.kind}`}>{words[item.kind]}</span>
        <a href={pathOf(item)}>{item.title}</a>
        {item.section && <span class="quiet-text">{item.section}</span>}
        <span class="inbox-who">
          <Who {...item.who} />
          {item.when && <When at={item.when} />}
        </span>
      </p>
      {(item.before || item.after) && (
        <p class="inbox-change">
          {item.kind === "comment" ? (
            <q>{item.before}</q>
          ) : (
            <Diff before={item.before ?? ""} after={item.after ?? ""} />
          )}
        </p>
      )}
      {item.body && <p class="inbox-body">{item.body}</p>}
      <p class="actions">
        {acts.map((what, index) => (
          <Button
            key={what}
            small
            {...(index === 0 && isChosen ? { kind: "primary" as const } : {})}
            onClick={() => void act(item, what)}
          >
            {words[what]}
            <kbd>{ACTS[what]}</kbd>
          </Button>
        ))}
        <a class="button quiet small" href={pathOf(item)}>
          {words.open}
        </a>
      </p>
    </li>
  );
}

/** Where the whole of an item is. */
function pathOf(item: InboxItem): string {
  if (item.document) {
    const card = item.suggestionId ?? item.commentId;
    return link(`/d/${encodeURIComponent(item.document)}`, { card });
  }
  if (item.task) return link(`/tasks/${encodeURIComponent(item.task)}`);
  return link("/decisions", { id: item.decision });
}

async function carryOut(item: InboxItem, what: Act): Promise<void> {
  const documentId = item.document ?? "";
  if (item.suggestionId && (what === "accept" || what === "reject")) {
    const suggestionId = item.suggestionId;
    await call("manage_suggestions", { action: what, documentId, suggestionId });
  } else if (item.commentId && what === "resolve") {
    const commentId = item.commentId;
    await call("manage_comments", { action: "resolve", documentId, commentId });
  }
}

function said(what: Act): string {
  const words = inboxWords();
  return {
    accept: words.accepted,
    reject: words.rejected,
    resolve: words.resolved,
  }[what];
}
