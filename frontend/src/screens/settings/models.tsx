/** The models behind search by meaning, how far their vectors are, and the text index. */
import { Sparkles } from "lucide";
import { useState } from "preact/hooks";
import type { PageModelsAnswer } from "../../../../docs/reference/page";
import { call } from "../../api/tools";
import { useAnswer } from "../../app/answers";
import { time } from "../../app/location";
import { number } from "../../app/words";
import { Button } from "../../parts/button";
import { Commands } from "../../parts/commands";
import { Confirm } from "../../parts/confirm";
import { Head } from "../../parts/head";
import { tell, tellError } from "../../parts/notices";
import { Empty, Shown } from "../../parts/state";
import { isGoing, Progress, useWhile, type Work } from "./work";
import { settingsWords } from "./words";

type Model = PageModelsAnswer["models"][number];

const LOOK_MS = 2000;
const COMMAND = "strata config model_endpoint URL";

export default function ModelsPart() {
  const words = settingsWords();
  const answer = useAnswer(
    () => call("page_models", {}),
    [],
    () => false,
  );
  const [asks, ask] = useState(false);
  const found = answer.value;
  useWhile(isGoing(found?.reindex) || (found?.pending ?? 0) > 0, answer.reload, LOOK_MS);
  const make = async (what: "pending" | "retry" | "rebuild"): Promise<void> => {
    await call("page_make_vectors", { what });
    tell(words.vectors.started);
    answer.reload();
  };
  const canWrite = time.value === null;
  return (
    <>
      <Head title={words.models} note={words.vectors.note}>
        {canWrite && (found?.pending ?? 0) > 0 && (
          <Button kind="primary" onClick={() => void make("pending").catch(tellError)}>
            {words.vectors.now}
          </Button>
        )}
      </Head>
      <Shown answer={answer}>
        {({ models, isAutomatic, reason, languageModel, endpoint, reindex }) => (
          <>
            {models.length === 0 ? (
              <Empty icon={Sparkles} title={words.vectors.none}>
                <p>{words.vectors.noneHint}</p>
              </Empty>
            ) : (
              <ModelTable models={models} />
            )}
            {reason && <p class="panel bad">{reason}</p>}
            {!isAutomatic && <p class="quiet-text below">{words.vectors.manual}</p>}
            {canWrite && models.length > 0 && (
              <p class="actions actions-below">
                {models.some((one) => one.failed > 0) && (
                  <Button onClick={() => void make("retry").catch(tellError)}>
                    {words.vectors.retry}
                  </Button>
                )}
                <Button onClick={() => ask(true)}>{words.vectors.rebuild}</Button>
              </p>
            )}
            <h2>{words.vectors.index}</h2>
            <Index work={reindex as Work | null} onStart={answer.reload} />
            <h2>{words.vectors.language}</h2>
            <p>
              {languageModel && endpoint
                ? words.vectors.languageAt(languageModel, endpoint)
                : words.vectors.noLanguage}
            </p>
            <p class="quiet-text">
              {words.vectors.languageHint} <code>{COMMAND}</code>
            </p>
          </>
        )}
      </Shown>
      {asks && (
        <Confirm
          title={words.vectors.rebuildTitle}
          button={words.vectors.rebuild}
          act={() => make("rebuild")}
          onClose={() => ask(false)}
        >
          <p>{words.vectors.rebuildNote}</p>
        </Confirm>
      )}
    </>
  );
}

function ModelTable({ models }: { models: Model[] }) {
  const words = settingsWords().vectors;
  const states: Record<string, string> = {
    active: words.active,
    building: words.building,
    retired: words.retired,
  };
  return (
    <div class="settings-table" tabIndex={0} role="group" aria-label={words.model}>
      <table>
        <thead>
          <tr>
            <th scope="col">{words.model}</th>
            <th scope="col">{words.state}</th>
            <th scope="col" class="figure">
              {words.made}
            </th>
            <th scope="col" class="figure">
              {words.pending}
            </th>
            <th scope="col" class="figure">
              {words.failed}
            </th>
            <th scope="col">{words.left}</th>
          </tr>
        </thead>
        <tbody>
          {models.map((one) => (
            <tr key={`${one.role} ${one.name} ${one.state}`}>
              <td>
                {one.name}
                {one.reason && (
                  <p class="field-error">
                    <Commands text={one.reason} />
                  </p>
                )}
              </td>
              <td>{states[one.state] ?? one.state}</td>
              <td class="figure">{number(one.embedded)}</td>
              <td class="figure">{number(one.pending)}</td>
              <td class="figure">{number(one.failed)}</td>
              <td>{left(one)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function left(model: Model): string {
  const words = settingsWords().vectors;
  if (model.secondsLeft === null || model.pending === 0) return "–";
  const seconds = Math.ceil(model.secondsLeft);
  return seconds < 90 ? words.seconds(seconds) : words.minutes(Math.ceil(seconds / 60));
}

function Index({ work, onStart }: { work: Work | null; onStart: () => void }) {
  const words = settingsWords().vectors;
  const start = async (): Promise<void> => {
    await call("page_reindex", {}).catch(tellError);
    onStart();
  };
  const changed = (work?.result as { changed?: number } | null | undefined)?.changed;
  return (
    <div class="panel">
      <p class="quiet-text">{words.indexNote}</p>
      <Progress work={work} />
      {typeof changed === "number" && <p role="status">{words.reindexed(changed)}</p>}
      {time.value === null && (
        <div class="actions">
          <Button disabled={isGoing(work)} onClick={() => void start()}>
            {words.reindex}
          </Button>
        </div>
      )}
    </div>
  );
}
