/** The trash: who put which documents there and when; restore them or delete them for ever. */
import { Eraser, RotateCcw, Trash2, X } from "lucide";
import { useEffect, useState } from "preact/hooks";
import type { PageTrashAnswer } from "../../../../docs/reference/page";
import { call } from "../../api/tools";
import { useAnswer } from "../../app/answers";
import { useKeys } from "../../app/keys";
import { go, link, time } from "../../app/location";
import { may } from "../../app/me";
import { Button } from "../../parts/button";
import { folderName } from "../../parts/folder-name";
import { Head } from "../../parts/head";
import { tell, tellError } from "../../parts/notices";
import { useSelection } from "../../parts/selection";
import { Empty, Shown } from "../../parts/state";
import { When } from "../../parts/time";
import { Who } from "../../parts/who";
import { partWords } from "../../parts/words";
import { Erasing } from "./erasing";
import { trashWords } from "./words";
import "./trash.css";

type Line = PageTrashAnswer["documents"][number];

const PAGE = 100;
const AT_ONCE = 200;

export default function TrashScreen() {
  const words = trashWords();
  const [query, setQuery] = useState("");
  const answer = useAnswer(
    () => call("page_trash", { query, limit: PAGE }),
    [query],
    (change) => change.kinds.includes("document"),
  );
  const [others, setOthers] = useState<Line[]>([]);
  const [erasing, erase] = useState<Line[] | null>(null);
  const [chosen, choose] = useState(-1);
  const lines = [...(answer.value?.documents ?? []), ...others];
  const selection = useSelection<Line>({
    between: (first, last) => Promise.resolve(lines.slice(first, last + 1)),
    most: AT_ONCE,
    tooMany: words.most(AT_ONCE),
  });
  useEffect(() => setOthers([]), [answer.value]);
  useEffect(selection.clear, [query]);
  const isNow = time.value === null;
  const canErase = isNow && answer.value?.canErase === true && may("page_erase_documents");
  const canRestore = (some: readonly Line[]): boolean =>
    isNow && may("page_untrash_documents") && some.some((one) => one.canRestore);
  const canSelect = canErase || canRestore(lines);
  const done = (): void => {
    selection.clear();
    answer.reload();
  };
  const restore = async (some: readonly Line[]): Promise<void> => {
    const back = some.filter((one) => one.canRestore);
    if (!canRestore(back)) return;
    const [first] = back;
    try {
      const documentIds = back.map((one) => one.id);
      await call("page_untrash_documents", { documentIds });
      const open = (): void => go(link(`/d/${encodeURIComponent(first?.id ?? "")}`));
      if (back.length > 1) tell(words.restored(back.length));
      else
        tell(
          first?.folderName ? words.restoredTo(folderName(first.folderName)) : words.restored(1),
          {
            action: { label: words.openIt, act: open },
          },
        );
    } catch (error) {
      tellError(error);
    }
    done();
  };
  const more = async (): Promise<void> => {
    try {
      const found = await call("page_trash", { query, offset: lines.length, limit: PAGE });
      setOthers([...others, ...found.documents]);
    } catch (error) {
      tellError(error);
    }
  };
  const at = lines[chosen];
  const about = selection.lines.length > 0 ? selection.lines : at ? [at] : [];
  const move = (step: number): number => {
    const next = Math.max(0, Math.min(chosen + step, lines.length - 1));
    choose(next);
    return next;
  };
  useKeys([
    { keys: "j", label: words.next, act: () => void move(1) },
    { keys: "k", label: words.previous, act: () => void move(-1) },
    ...(canSelect
      ? [
          { keys: "x", label: words.selectKey, act: () => at && selection.toggle(at, chosen) },
          { keys: "J", label: words.extendKey, act: () => selection.extend(move(1)) },
          { keys: "K", label: words.extendKey, act: () => selection.extend(move(-1)) },
          { keys: "Escape", label: words.clear, act: selection.clear },
        ]
      : []),
    ...(canRestore(about)
      ? [{ keys: "r", label: words.restore, act: () => void restore(about) }]
      : []),
  ]);
  const total = answer.value?.total ?? 0;
  return (
    <div class="screen">
      <Head title={words.title} {...(total > 0 ? { note: words.count(total) } : {})} />
      <p class="quiet-text trash-note">{words.note}</p>
      {(total > 0 || query) && (
        <input
          type="search"
          aria-label={words.filter}
          placeholder={words.filter}
          value={query}
          onInput={(event) => setQuery(event.currentTarget.value)}
        />
      )}
      {selection.lines.length > 0 && (
        <div class="trash-bulk" role="toolbar" aria-label={words.selection}>
          <strong role="status">{words.selected(selection.lines.length)}</strong>
          {canRestore(selection.lines) && (
            <Button small icon={RotateCcw} onClick={() => void restore(selection.lines)}>
              {words.restore}
            </Button>
          )}
          {canErase && (
            <Button small kind="danger" icon={Eraser} onClick={() => erase(selection.lines)}>
              {words.erase}
            </Button>
          )}
          <Button kind="quiet" small icon={X} label={words.clear} onClick={selection.clear} />
        </div>
      )}
      <Shown answer={answer}>
        {() =>
          lines.length === 0 ? (
            <None query={query} isNow={isNow} />
          ) : (
            <>
              <ul class="card-list" aria-label={words.list}>
                {lines.map((line, index) => (
                  <li
                    key={line.id}
                    class={index === chosen ? "trash-row chosen" : "trash-row"}
                    aria-current={index === chosen ? "true" : undefined}
                  >
                    {canSelect && (
                      <label class="trash-select">
                        <input
                          type="checkbox"
                          aria-label={words.select(line.title || words.untitled)}
                          checked={selection.has(line.id)}
                          onClick={(event) => {
                            choose(index);
                            if (event.shiftKey) selection.extend(index);
                            else selection.toggle(line, index);
                          }}
                        />
                      </label>
                    )}
                    <span class="trash-name">
                      <a href={link(`/d/${encodeURIComponent(line.id)}`)}>
                        {line.title || words.untitled}
                      </a>
                      <span class="quiet-text">
                        {words.by} <Who {...line.who} /> <When at={line.trashed} />
                        {line.folderName && ` · ${words.from(folderName(line.folderName))}`}
                      </span>
                    </span>
                    <span class="actions">
                      {canRestore([line]) && (
                        <Button small icon={RotateCcw} onClick={() => void restore([line])}>
                          {words.restore}
                        </Button>
                      )}
                      {canErase && (
                        <Button small kind="danger" onClick={() => erase([line])}>
                          {words.erase}
                        </Button>
                      )}
                    </span>
                  </li>
                ))}
              </ul>
              {lines.length < total && (
                <p class="trash-more">
                  <Button onClick={() => void more()}>{partWords().loadMore}</Button>
                </p>
              )}
            </>
          )
        }
      </Shown>
      {erasing && <Erasing lines={erasing} onClose={() => erase(null)} onDone={done} />}
    </div>
  );
}

function None({ query, isNow }: { query: string; isNow: boolean }) {
  const words = trashWords();
  if (query) return <Empty title={words.none} />;
  if (!isNow) return <Empty icon={Trash2} title={words.emptyPast} />;
  return (
    <Empty icon={Trash2} title={words.empty}>
      <p>{words.emptyHint}</p>
    </Empty>
  );
}
