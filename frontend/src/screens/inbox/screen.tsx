/** What waits for the user: one list, worked off by keys; then what changed lately. */
import { Inbox } from "lucide";
import { useEffect, useRef, useState } from "preact/hooks";
import { call } from "../../api/tools";
import type { PageHit } from "../../api/types";
import { useAnswer } from "../../app/answers";
import { useKeys, type Key } from "../../app/keys";
import { go, time } from "../../app/location";
import { Button } from "../../parts/button";
import { folderName } from "../../parts/folder-name";
import { Head } from "../../parts/head";
import { HitRow } from "../../parts/hit";
import { tell, tellError } from "../../parts/notices";
import { Empty, Shown } from "../../parts/state";
import { partWords } from "../../parts/words";
import { ACTS, carryOut, pathOf, takeBack, type Act, type InboxItem } from "./acts";
import { ItemRow } from "./item";
import { Welcome } from "./welcome";
import { inboxWords } from "./words";
import "./inbox.css";

const LIMIT = 50;
type Ids = ReadonlySet<string>;

const without = (ids: Ids, id: string): Ids => new Set([...ids].filter((one) => one !== id));

export default function InboxScreen() {
  const words = inboxWords();
  // Proposals wait on branches of their own.
  const answer = useAnswer(() => call("page_inbox", { limit: LIMIT }), [], undefined, {
    anyBranch: true,
  });
  const [done, setDone] = useState<Ids>(new Set());
  // What is being decided stays away, though the server may still list it.
  const working = useRef(new Set<string>());
  const [chosen, choose] = useState(0);
  const [selected, setSelected] = useState<Ids>(new Set());
  // What was done last is undone first; several things that were done at once are one. A batch is
  // listed while the server still works on it, so that an undo right after it waits for it.
  const past = useRef<Promise<readonly InboxItem[]>[]>([]);
  // One after the other, however quick the keys are: decisions about one text would meet.
  const turn = useRef<Promise<unknown>>(Promise.resolve());
  const items = (answer.value?.items ?? []).filter((item) => !done.has(item.id));
  const mayAct = time.value === null;
  useEffect(() => setDone(new Set(working.current)), [answer.value]);
  const now = items[Math.min(chosen, items.length - 1)];
  const several = items.filter((item) => selected.has(item.id));

  const undo = async (): Promise<void> => {
    const batch = await past.current.pop();
    if (!batch || batch.length === 0) return;
    try {
      for (const item of batch.toReversed()) await takeBack(item);
      tell(words.takenBack(batch.length));
    } catch (error) {
      tellError(error);
    }
    answer.reload();
  };
  const carryOutAll = async (
    wanted: readonly InboxItem[],
    what: Act,
    edited?: string,
  ): Promise<readonly InboxItem[]> => {
    const carried: InboxItem[] = [];
    for (const item of wanted) {
      try {
        await carryOut(item, what, edited);
        carried.push(item);
      } catch (error) {
        setDone((before) => without(before, item.id));
        tellError(error);
      }
    }
    return carried;
  };
  const act = async (given: readonly InboxItem[], what: Act, edited?: string): Promise<void> => {
    const wanted = given.filter((item) => edited !== undefined || item.can.includes(what));
    if (wanted.length === 0) return;
    const ids = wanted.map((item) => item.id);
    setDone((before) => new Set([...before, ...ids]));
    setSelected(new Set());
    for (const id of ids) working.current.add(id);
    const work = turn.current.then(() => carryOutAll(wanted, what, edited));
    turn.current = work;
    past.current.push(work);
    const carried = await work;
    for (const id of ids) working.current.delete(id);
    if (carried.length > 0) {
      tell(said(what, carried.length), {
        action: { label: partWords().undo, act: () => void undo() },
      });
    } else {
      past.current = past.current.filter((one) => one !== work);
    }
    answer.reload();
  };
  const select = (item: InboxItem): void =>
    setSelected(
      selected.has(item.id) ? without(selected, item.id) : new Set([...selected, item.id]),
    );
  const acting: Key[] = [
    { keys: "x", label: words.select, act: () => now && select(now) },
    ...(["accept", "reject", "resolve"] as const).map((what) => ({
      keys: ACTS[what],
      label: words[what],
      act: () => void act(several.length > 0 ? several : now ? [now] : [], what),
    })),
    { keys: "z", label: partWords().undo, act: () => void undo() },
  ];
  useKeys([
    { keys: "j", label: words.next, act: () => choose(Math.min(chosen + 1, items.length - 1)) },
    { keys: "k", label: words.previous, act: () => choose(Math.max(chosen - 1, 0)) },
    { keys: "Enter", label: words.open, act: () => now && go(pathOf(now)) },
    ...(mayAct ? acting : []),
  ]);
  return (
    <div class="screen">
      <Head title={words.title} {...(items.length ? { note: words.waiting(items.length) } : {})} />
      <Welcome />
      <Shown answer={answer}>
        {({ recent, more }) => (
          <>
            {mayAct && several.length > 0 && (
              <Several items={several} act={act} clear={() => setSelected(new Set())} />
            )}
            {items.length === 0 ? (
              <div class="inbox-empty">
                <Empty icon={Inbox} title={words.empty}>
                  <p>{words.emptyHint}</p>
                </Empty>
              </div>
            ) : (
              <ul class="card-list" aria-label={words.items}>
                {items.map((item) => (
                  <ItemRow
                    key={item.id}
                    item={item}
                    isChosen={item === now}
                    isSelected={selected.has(item.id)}
                    select={() => select(item)}
                    act={(one, what, edited) => void act([one], what, edited)}
                  />
                ))}
              </ul>
            )}
            {more && <p class="quiet-text">{words.more}</p>}
            <h2 class="section-title">{words.recent}</h2>
            {recent.length === 0 ? (
              <p class="quiet-text">{words.noRecent}</p>
            ) : (
              <ul class="hits" aria-label={words.recent}>
                {recent.map((one) => (
                  <li key={`${one.kind} ${one.id}`}>
                    <HitRow hit={placed(one)} />
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

/** A line of what changed lately; a document lies in a folder. */
function placed(one: PageHit): PageHit {
  return one.kind === "document" && one.place ? { ...one, place: folderName(one.place) } : one;
}

/** What is done with all that are selected. */
function Several(given: {
  items: readonly InboxItem[];
  act: (items: readonly InboxItem[], what: Act) => Promise<void>;
  clear: () => void;
}) {
  const { items, act } = given;
  const words = inboxWords();
  const possible = (["accept", "reject", "resolve"] as const).filter((what) =>
    items.some((item) => item.can.includes(what)),
  );
  return (
    <div class="inbox-several" role="group" aria-label={words.selected(items.length)}>
      <strong role="status">{words.selected(items.length)}</strong>
      {possible.map((what) => (
        <Button key={what} small onClick={() => void act(items, what)}>
          {words[what]}
          <kbd>{ACTS[what]}</kbd>
        </Button>
      ))}
      <Button kind="quiet" small onClick={given.clear}>
        {words.clear}
      </Button>
    </div>
  );
}

function said(what: Act, count: number): string {
  const words = inboxWords();
  if (what === "reject") return words.rejected(count);
  return what === "resolve" ? words.resolved(count) : words.accepted(count);
}
