/** Two branches: what one would bring to the other, and a choice for each conflict. */
import { ArrowLeftRight, GitMerge } from "lucide";
import { useState } from "preact/hooks";
import { call } from "../../api/tools";
import { useAnswer } from "../../app/answers";
import { useKeys } from "../../app/keys";
import { go, link, time } from "../../app/location";
import type { ScreenProps } from "../../app/routes";
import { Button } from "../../parts/button";
import { Head } from "../../parts/head";
import { Icon } from "../../parts/icon";
import { tell, tellError } from "../../parts/notices";
import { Empty, Failed, Shown } from "../../parts/state";
import { ChangeList } from "./changes";
import { ConflictCard, type Choice, type Conflict } from "./conflict";
import { comparePath, readPair } from "./path";
import { compareWords } from "./words";
import "./compare.css";

export default function CompareScreen({ params }: ScreenProps) {
  const words = compareWords();
  const pair = readPair(params["pair"] ?? "");
  if (!pair) return <Failed message={words.bad} hint={words.badHint} />;
  return <Comparison key={`${pair.target} ${pair.source}`} {...pair} />;
}

function Comparison({ target, source }: { target: string; source: string }) {
  const words = compareWords();
  const answer = useAnswer(
    () => call("page_compare", { target, source }, { branch: null }),
    [target, source],
    (change) => change.branch === target || change.branch === source,
    { anyBranch: true },
  );
  const [choices, setChoices] = useState<Record<string, Choice>>({});
  const [isMerging, setMerging] = useState(false);
  const choose = (id: string, choice: Choice | null): void =>
    setChoices(({ [id]: _, ...others }) =>
      choice === null ? others : { ...others, [id]: choice },
    );
  const conflicts: Conflict[] = answer.value
    ? [
        ...answer.value.passages.map((one) => ({ ...one, isPassage: true as const })),
        ...answer.value.conflicts.map((one) => ({ ...one, isPassage: false as const })),
      ]
    : [];
  const decided = conflicts.filter((one) => isDecided(choices[one.id])).length;
  const open = conflicts.filter(
    (one) => !isDecided(choices[one.id]) && (!one.isPassage || one.id in choices),
  ).length;
  useKeys([
    { keys: "n", label: words.next, act: () => step(1) },
    { keys: "p", label: words.previous, act: () => step(-1) },
  ]);
  const merge = async (): Promise<void> => {
    setMerging(true);
    try {
      const known = new Set(conflicts.map((one) => one.id));
      const made = Object.fromEntries(Object.entries(choices).filter(([id]) => known.has(id)));
      const done = await call("page_merge", { source, target, choices: made }, { branch: null });
      tell(words.merged(done.taken, done.filed));
      go(link("/branches", { branch: null }));
    } catch (error) {
      tellError(error);
      answer.reload();
    }
    setMerging(false);
  };
  return (
    <div class="screen">
      <Head title={words.title} note={words.direction(target, source)}>
        <a class="button" href={comparePath(source, target)}>
          <Icon of={ArrowLeftRight} />
          {words.swap}
        </a>
      </Head>
      <Shown answer={answer}>
        {(found) => {
          const taken = Object.values(found.counts).reduce((sum, count) => sum + count, 0);
          if (taken + conflicts.length === 0) {
            return (
              <Empty icon={GitMerge} title={words.same}>
                <p>{words.sameHint(source, target)}</p>
              </Empty>
            );
          }
          return (
            <>
              {found.note && <p class="compare-note">{found.note}</p>}
              {found.leftOut.length > 0 && (
                <p class="compare-note">{words.leftOut(found.leftOut.length)}</p>
              )}
              {conflicts.length > 0 && (
                <section aria-labelledby="conflicts">
                  <h2 id="conflicts">{words.conflicts}</h2>
                  <p class="quiet-text">{words.conflictNote}</p>
                  {conflicts.map((one) => (
                    <ConflictCard
                      key={one.id}
                      conflict={one}
                      names={{ source, target }}
                      choice={choices[one.id] ?? null}
                      choose={(choice) => choose(one.id, choice)}
                    />
                  ))}
                </section>
              )}
              <ChangeList found={found} />
              {time.value === null && (
                <footer class="merge-bar">
                  <p role="status">
                    {words.summary(taken, decided, open)}
                    {open > 0 && ` · ${words.decideFirst}`}
                  </p>
                  <Button
                    kind="primary"
                    icon={GitMerge}
                    disabled={open > 0 || isMerging}
                    onClick={() => void merge()}
                  >
                    {isMerging ? words.merging : words.merge}
                  </Button>
                </footer>
              )}
            </>
          );
        }}
      </Shown>
    </div>
  );
}

function isDecided(choice: Choice | undefined): boolean {
  return choice !== undefined && !(typeof choice === "object" && choice.isUnfinished);
}

/** Moves the focus to the next or the previous conflict. */
function step(by: 1 | -1): void {
  const cards = [...document.querySelectorAll<HTMLElement>(".conflict")];
  const now = cards.findIndex((card) => card.contains(document.activeElement));
  const next = cards[(now + by + cards.length) % cards.length];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}
