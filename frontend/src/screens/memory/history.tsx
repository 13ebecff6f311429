/** What a fact was before: each value with what it changed, when, and by whom. */
import { RotateCcw } from "lucide";
import { useEffect, useState } from "preact/hooks";
import type { PageFactAnswer } from "../../../../docs/reference/page";
import { call } from "../../api/tools";
import { time } from "../../app/location";
import { Button } from "../../parts/button";
import { Diff } from "../../parts/diff";
import { tell, tellError } from "../../parts/notices";
import { When } from "../../parts/time";
import { textOf } from "../../parts/value";
import { Who } from "../../parts/who";
import { memoryWords } from "./words";

type Past = PageFactAnswer["history"][number];

// What one entry shows of a value.
const SHOWN_CHARACTERS = 600;

export function History({ fact, reload }: { fact: PageFactAnswer; reload: () => void }) {
  const words = memoryWords();
  const [earlier, setEarlier] = useState<{ history: Past[]; more: boolean } | null>(null);
  useEffect(() => setEarlier(null), [fact]);
  const all = [...fact.history, ...(earlier?.history ?? [])];
  const { key, namespace } = fact;
  const fetchEarlier = async (): Promise<void> => {
    try {
      const at = String((all.at(-1)?.version ?? 1) - 1);
      const found = await call("page_fact", { key, namespace }, { at });
      const history = [...(earlier?.history ?? []), ...found.history];
      setEarlier({ history, more: found.more });
    } catch (error) {
      tellError(error);
    }
  };
  const restore = async (past: Past): Promise<void> => {
    try {
      const at = String(past.version);
      const value = past.isLong
        ? (await call("page_fact", { key, namespace, limit: 1 }, { at })).value
        : past.value;
      const if_version = fact.kind === null ? 0 : fact.version;
      await call("strata_store", { key, namespace, value, tags: past.tags, if_version });
      tell(words.restored);
      reload();
    } catch (error) {
      tellError(error);
    }
  };
  return (
    <section class="fact-past" aria-label={words.history}>
      <h3>{words.history}</h3>
      <ol>
        {all.map((past, index) => (
          <li key={past.version}>
            <p class="past-head">
              {index === 0 && <span class="tag">{words.current}</span>}
              {past.changed && <When at={past.changed} />}
              <Who {...past.who} />
              <span class="quiet-text">{words.version(past.version)}</span>
              {index > 0 && past.state === "live" && time.value === null && (
                <Button small icon={RotateCcw} onClick={() => void restore(past)}>
                  {words.restore}
                </Button>
              )}
            </p>
            <PastValue past={past} before={all[index + 1]} />
          </li>
        ))}
      </ol>
      {(earlier ? earlier.more : fact.more) && (
        <Button onClick={() => void fetchEarlier()}>{words.earlier}</Button>
      )}
    </section>
  );
}

/** A value as the change from the one before it, where both are short. */
function PastValue({ past, before }: { past: Past; before: Past | undefined }) {
  const words = memoryWords();
  if (past.state !== "live") {
    const said = {
      deleted: words.wasForgotten,
      erased: words.wasErased,
      trimmed: words.wasTrimmed,
    };
    return <p class="quiet-text">{said[past.state as keyof typeof said] ?? past.state}</p>;
  }
  if (past.isLong) return <p class="quiet-text">{words.longValue}</p>;
  const text = textOf(past.value);
  const isCompared = before?.state === "live" && !before.isLong && text.length <= SHOWN_CHARACTERS;
  const old = isCompared ? textOf(before.value) : "";
  return (
    <p class="past-value">
      {isCompared && old.length <= SHOWN_CHARACTERS ? (
        <Diff before={old} after={text} />
      ) : (
        `${text.slice(0, SHOWN_CHARACTERS)}${text.length > SHOWN_CHARACTERS ? "…" : ""}`
      )}
    </p>
  );
}
