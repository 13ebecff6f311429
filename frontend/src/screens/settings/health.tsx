/** How the store is: what is known to be wrong, a verification of every byte, and its figures. */
import { useState } from "preact/hooks";
import type { PageHealthAnswer } from "../../../../docs/reference/page";
import { call } from "../../api/tools";
import { useAnswer } from "../../app/answers";
import { time } from "../../app/location";
import { number } from "../../app/words";
import { Button } from "../../parts/button";
import { Commands } from "../../parts/commands";
import { Head } from "../../parts/head";
import { tellError } from "../../parts/notices";
import { Shown } from "../../parts/state";
import { ago } from "../../parts/time";
import { bytes } from "./bytes";
import { isGoing, Progress, useWhile, type Work } from "./work";
import { settingsWords } from "./words";

interface Found {
  ok: boolean;
  problems: string[];
  commits: number;
  versions: number;
}

export default function HealthPart() {
  const words = settingsWords();
  const answer = useAnswer(
    () => call("page_health", {}),
    [],
    () => false,
  );
  const work = answer.value?.verification ?? null;
  useWhile(isGoing(work), answer.reload);
  const [isStarting, setStarting] = useState(false);
  const verify = async (): Promise<void> => {
    setStarting(true);
    await call("page_verify", {}).catch(tellError);
    setStarting(false);
    answer.reload();
  };
  return (
    <>
      <Head title={words.health} note={words.state.note}>
        {time.value === null && (
          <Button
            kind="primary"
            disabled={isStarting || isGoing(work)}
            onClick={() => void verify()}
          >
            {words.state.verify}
          </Button>
        )}
      </Head>
      <Shown answer={answer}>
        {(found) => (
          <>
            <Summary found={found} />
            <p class="quiet-text below">{words.state.verifyNote}</p>
            <Progress work={work} />
            <h2>{words.state.facts}</h2>
            <Figures found={found} />
          </>
        )}
      </Shown>
    </>
  );
}

function Summary({ found }: { found: PageHealthAnswer }) {
  const words = settingsWords().state;
  const work = found.verification as Work | null;
  const result = work?.result as Found | null | undefined;
  const problems = result?.problems ?? [];
  const isBad = problems.length > 0 || found.warning !== null || found.isReadOnly;
  return (
    <div class={isBad ? "panel bad" : "panel"} role="status">
      <h2>
        {problems.length > 0 ? words.problems(problems.length) : isBad ? words.warning : words.good}
      </h2>
      {found.warning && (
        <p>
          <Commands text={found.warning} />
        </p>
      )}
      {found.isReadOnly && <p>{words.readOnly}</p>}
      {problems.length > 0 && (
        <>
          <ul>
            {problems.map((one) => (
              <li key={one}>
                <Commands text={one} />
              </li>
            ))}
          </ul>
          <p>{words.problemsHint}</p>
        </>
      )}
      {result?.ok && <p>{words.verified(result.commits, result.versions)}</p>}
      <p class="quiet-text">{work?.ended ? words.at(ago(work.ended)) : words.notYet}</p>
    </div>
  );
}

function Figures({ found }: { found: PageHealthAnswer }) {
  const words = settingsWords();
  const started = new Date(Date.now() - found.uptimeS * 1000).toISOString();
  const durability = { always: words.state.always, standard: words.state.standard };
  const about = durability[found.durability as keyof typeof durability];
  const lines: [string, string][] = [
    [words.state.size, bytes(found.sizeBytes)],
    [words.state.durability, about ? `${found.durability}: ${about}` : found.durability],
    [words.state.branches, number(found.branches)],
    [words.state.commits, number(found.commits)],
    [words.state.versions, number(found.versions)],
    [words.state.version, found.version],
    [words.state.format, number(found.format)],
    [words.state.path, found.path],
    [words.state.uptime, words.since(ago(started))],
  ];
  return (
    <dl class="about panel">
      {lines.map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
  );
}
