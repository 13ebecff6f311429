/** What a branch changed, by kind; each as a difference of words. */
import { useState } from "preact/hooks";
import { call } from "../../api/tools";
import { Button } from "../../parts/button";
import { Diff } from "../../parts/diff";
import { Choice } from "../../parts/field";
import { tellError } from "../../parts/notices";
import { partWords } from "../../parts/words";
import { compareWords } from "./words";

type Found = Awaited<ReturnType<typeof call<"page_compare">>>;
const GROUPS = ["document", "fact", "decision", "event", "other"] as const;
type Group = (typeof GROUPS)[number];

export function ChangeList({ found }: { found: Found }) {
  const words = compareWords();
  const [group, setGroup] = useState<Group | "">("");
  const [more, setMore] = useState<{ changes: Found["changes"]; next: number | null } | null>(null);
  const all = [...found.changes, ...(more?.changes ?? [])];
  const next = more ? more.next : found.next;
  if (all.length === 0) return null;
  const shown = group ? all.filter((change) => change.group === group) : all;
  const fetchMore = async (offset: number): Promise<void> => {
    try {
      const { source, target } = found;
      const rest = await call("page_compare", { source, target, offset }, { branch: null });
      setMore({ changes: [...(more?.changes ?? []), ...rest.changes], next: rest.next });
    } catch (error) {
      tellError(error);
    }
  };
  const of = [
    { value: "" as const, label: words.all },
    ...GROUPS.filter((one) => found.counts[one]).map((one) => ({
      value: one,
      label: `${words[one]} (${found.counts[one]})`,
    })),
  ];
  return (
    <section aria-labelledby="changes">
      <div class="changes-head">
        <h2 id="changes">{words.changes}</h2>
        <Choice label={words.filter} hidesLabel value={group} of={of} onChange={setGroup} />
      </div>
      <ul class="card-list">
        {shown.map((change) => (
          <li key={`${change.namespace} ${change.kind} ${change.key}`} class="change">
            <p class="change-head">
              <span class={`tag ${change.action}`}>{actionWord(change.action)}</span>
              <strong>{change.title}</strong>
              {!isNamedByTitle(change.group) && change.title !== change.key && (
                <span class="quiet-text">{change.key}</span>
              )}
            </p>
            <p class="change-text">
              <Diff before={change.before ?? ""} after={change.after ?? ""} />
            </p>
            {!change.isWhole && <p class="quiet-text">{words.cut}</p>}
          </li>
        ))}
      </ul>
      {next !== null && (
        <Button onClick={() => void fetchMore(next)}>{partWords().loadMore}</Button>
      )}
    </section>
  );
}

/** The keys of these are ids, which tell a user nothing. */
const isNamedByTitle = (group: string): boolean => group === "document" || group === "decision";

function actionWord(action: string): string {
  const words = compareWords();
  if (action === "added") return words.added;
  return action === "removed" ? words.removed : words.modified;
}
