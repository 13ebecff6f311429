/** The past of a document: a slider over its versions, and what came and went in each. */
import "./history.css";
import { GitFork, RotateCcw, Tag } from "lucide";
import { useState } from "preact/hooks";
import { call } from "../../api/tools";
import { useAnswer } from "../../app/answers";
import { address, ask, go, link, time } from "../../app/location";
import { may } from "../../app/me";
import type { ScreenProps } from "../../app/routes";
import { Button } from "../../parts/button";
import { Choice } from "../../parts/field";
import { Head } from "../../parts/head";
import { Naming } from "../../parts/naming";
import { tell, tellError } from "../../parts/notices";
import { Empty, Shown } from "../../parts/state";
import { exactly } from "../../parts/time";
import { Changes } from "./comparison";
import { Timeline, type DocumentVersion } from "./timeline";
import { historyWords } from "./words";

const MOST = 1000;
const VERSION_NAME_CHARACTERS_MAX = 100;

interface Listed {
  title: string;
  /** Oldest first. */
  versions: DocumentVersion[];
}

export default function HistoryScreen({ params }: ScreenProps) {
  const id = params["id"] ?? "";
  const answer = useAnswer(
    () => list(id),
    [id],
    (change) => change.kinds.includes("document"),
  );
  return (
    <div class="screen history">
      <Shown answer={answer}>
        {(found) =>
          found.versions.length === 0 ? (
            <Empty title={historyWords().empty} />
          ) : (
            <Past id={id} {...found} reload={answer.reload} />
          )
        }
      </Shown>
    </div>
  );
}

async function list(documentId: string): Promise<Listed> {
  const [{ versions }, { title }] = await Promise.all([
    call("page_versions", { documentId, limit: MOST }),
    call("page_text", { documentId }),
  ]);
  return { title, versions: versions.toReversed() };
}

async function textOf(documentId: string, version: number | null): Promise<string> {
  if (version === null) return "";
  return (await call("page_text", { documentId, version }, { at: null })).text;
}

interface PastProps extends Listed {
  id: string;
  reload: () => void;
}

function Past({ id, title, versions, reload }: PastProps) {
  const words = historyWords();
  const query = address.value.searchParams;
  const found = versions.findIndex((one) => String(one.version) === query.get("version"));
  const at = found < 0 ? versions.length - 1 : found;
  const one = versions[at]!;
  const against = query.get("against") ?? "";
  const other = against ? Number(against) : (versions[at - 1]?.version ?? null);
  const texts = useAnswer(
    () => Promise.all([textOf(id, other), textOf(id, one.version)]),
    [id, other, one.version],
    () => false,
  );
  const move = (index: number): void =>
    ask({ version: versions[index]?.version }, { replaces: true });
  return (
    <>
      <Head title={words.title(title)}>
        <a class="button" href={link(`/d/${encodeURIComponent(id)}`)}>
          {words.back}
        </a>
      </Head>
      <Timeline versions={versions} at={at} onMove={move} />
      <div class="history-bar">
        <Against versions={versions} value={against} />
        <VersionActions id={id} one={one} reload={reload} />
      </div>
      <Shown answer={texts}>
        {([before, after]) => (
          <Changes
            // A change of the versions began over again: so does the counting.
            key={`${other} ${one.version}`}
            before={before}
            after={after}
          />
        )}
      </Shown>
    </>
  );
}

function Against({ versions, value }: { versions: readonly DocumentVersion[]; value: string }) {
  const words = historyWords();
  const label = (one: DocumentVersion): string =>
    one.name ? words.named(one.name) : exactly(one.when);
  const of = [
    { value: "", label: words.before },
    ...versions.toReversed().map((one, index) => ({
      value: String(one.version),
      label: index === 0 ? words.now : label(one),
    })),
  ];
  return (
    <Choice
      label={words.against}
      value={value}
      of={of}
      onChange={(against) => ask({ against }, { replaces: true })}
    />
  );
}

interface ActionsProps {
  id: string;
  one: DocumentVersion;
  reload: () => void;
}

function VersionActions({ id, one, reload }: ActionsProps) {
  const words = historyWords();
  const [asked, ask_] = useState<"fork" | "name" | null>(null);
  const restore = async (): Promise<void> => {
    try {
      const given = { documentId: id, documentVersion: one.version };
      const made = await call("page_restore", given);
      tell(made.changed ? words.restored : words.same);
      reload();
      ask({ version: null });
    } catch (error) {
      tellError(error);
    }
  };
  const finish = async (typed: string): Promise<void> => {
    if (asked === "fork") {
      const given = { action: "fork", name: typed, at: one.version } as const;
      await call("strata_branch", given, { at: null });
      return go(link(`/d/${encodeURIComponent(id)}`, { branch: typed, at: null }));
    }
    await call("page_name_version", {
      documentId: id,
      documentVersion: one.version,
      called: typed,
    });
    reload();
  };
  const isPast = time.value !== null;
  return (
    <div class="actions">
      {!isPast && may("page_restore") && (
        <Button kind="primary" icon={RotateCcw} onClick={() => void restore()}>
          {words.restore}
        </Button>
      )}
      {may("strata_branch") && (
        <Button icon={GitFork} onClick={() => ask_("fork")}>
          {words.fork}
        </Button>
      )}
      {!isPast && may("page_name_version") && (
        <Button icon={Tag} onClick={() => ask_("name")}>
          {words.name}
        </Button>
      )}
      {asked && (
        <Naming
          title={asked === "fork" ? words.fork : words.nameTitle}
          label={asked === "fork" ? words.forkName : words.nameOf}
          button={asked === "fork" ? words.forkNow : words.nameNow}
          longest={VERSION_NAME_CHARACTERS_MAX}
          make={finish}
          onClose={() => ask_(null)}
        />
      )}
    </div>
  );
}
