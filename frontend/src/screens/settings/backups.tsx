/** Backups: making one, those that there are, and how one is brought back. */
import { ArchiveRestore, Download } from "lucide";
import { useEffect, useRef, useState } from "preact/hooks";
import type { PageBackupsAnswer } from "../../../../docs/reference/page";
import { call } from "../../api/tools";
import { useAnswer } from "../../app/answers";
import { time } from "../../app/location";
import { Button } from "../../parts/button";
import { Copyable } from "../../parts/copyable";
import { Dialog } from "../../parts/dialog";
import { Head } from "../../parts/head";
import { Icon } from "../../parts/icon";
import { tell, tellError } from "../../parts/notices";
import { Empty, Shown } from "../../parts/state";
import { ago, When } from "../../parts/time";
import { bytes } from "./bytes";
import { isGoing, Progress, useWhile, type Work } from "./work";
import { settingsWords } from "./words";

type Backup = PageBackupsAnswer["backups"][number];
type Policy = PageBackupsAnswer["retention"][number];

const PREVIEW = "strata retention apply --preview";

export default function BackupsPart() {
  const words = settingsWords();
  const answer = useAnswer(
    () => call("page_backups", {}),
    [],
    () => false,
  );
  const [restoring, restore] = useState<Backup | null>(null);
  const found = answer.value;
  const making = (found?.making ?? null) as Work | null;
  const isMaking = isGoing(making);
  useWhile(isMaking, answer.reload);
  const was = useRef(false);
  useEffect(() => {
    if (was.current && !isMaking && making?.result) tell(words.copies.made);
    was.current = isMaking;
  }, [isMaking]);
  const make = async (): Promise<void> => {
    await call("page_backup", {}).catch(tellError);
    was.current = true;
    answer.reload();
  };
  return (
    <>
      <Head title={words.backups} note={words.copies.note}>
        {time.value === null && (
          <Button kind="primary" disabled={isMaking} onClick={() => void make()}>
            {words.copies.make}
          </Button>
        )}
      </Head>
      <Shown answer={answer}>
        {({ backups, folder, store, more, retention }) => (
          <>
            <Progress
              work={making}
              label={
                ["", "pages"].includes(making?.step ?? "")
                  ? words.copies.copying
                  : words.copies.verifying
              }
            />
            {backups[0] ? (
              <>
                <p class="quiet-text">
                  {words.copies.last(ago(backups[0].made))} {words.copies.folder(folder)}
                </p>
                <ul class="card-list" aria-label={words.copies.list}>
                  {backups.map((one) => (
                    <li key={one.name} class="line">
                      <div class="line-main">
                        <p>
                          <strong>{one.name}</strong>
                        </p>
                        <p class="quiet-text">
                          {bytes(one.bytes)} · <When at={one.made} />
                        </p>
                      </div>
                      <Button small onClick={() => restore(one)}>
                        {words.copies.restore}
                      </Button>
                      <a
                        class="button small bare"
                        href={`/api/backups/${encodeURIComponent(one.name)}`}
                        download={one.name}
                        title={words.copies.download(one.name)}
                        aria-label={words.copies.download(one.name)}
                      >
                        <Icon of={Download} />
                      </a>
                    </li>
                  ))}
                </ul>
                {more > 0 && <p class="quiet-text">{words.copies.more(more)}</p>}
              </>
            ) : (
              !isMaking && (
                <Empty icon={ArchiveRestore} title={words.copies.empty}>
                  <p>{words.copies.emptyHint}</p>
                </Empty>
              )
            )}
            <h2>{words.copies.retention}</h2>
            {retention.length === 0 && <p>{words.copies.noRetention}</p>}
            {retention.map((one) => (
              <p key={`${one.space} ${one.kind}`}>{policy(one)}</p>
            ))}
            <p class="quiet-text">
              {words.copies.preview} <code>{PREVIEW}</code>
            </p>
            {restoring && (
              <Dialog title={words.copies.restoreTitle} onClose={() => restore(null)}>
                <p>{words.copies.restoreNote}</p>
                <Copyable
                  label={restoring.name}
                  text={`strata restore ${quoted(restoring.path)} --force --db ${quoted(store)}`}
                />
              </Dialog>
            )}
          </>
        )}
      </Shown>
    </>
  );
}

function policy(one: Policy): string {
  const words = settingsWords().copies;
  const names = [one.space, one.kind].filter((name) => name !== "*");
  const age = one.maxAgeS === null ? "" : words.days(Math.round(one.maxAgeS / 86_400));
  const versions = one.maxVersions === null ? "" : words.versions(one.maxVersions);
  return words.policy(names.join(" / ") || words.everything, age, versions);
}

/** A path as a shell takes it. */
function quoted(path: string): string {
  return /^[\w./~-]+$/u.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
