/** Connecting a client: what to copy, and then the moment in which it first calls. */
import { CircleCheck, LoaderCircle } from "lucide";
import { useState } from "preact/hooks";
import type { PageClientsAnswer, PageMakeTokenAnswer } from "../../../../docs/reference/page";
import { call } from "../../api/tools";
import { useAnswer } from "../../app/answers";
import { address, ask, time } from "../../app/location";
import { may } from "../../app/me";
import { Button } from "../../parts/button";
import { Copyable } from "../../parts/copyable";
import { Check, Choice } from "../../parts/field";
import { Head } from "../../parts/head";
import { Icon } from "../../parts/icon";
import { tellError } from "../../parts/notices";
import { Shown } from "../../parts/state";
import { ago } from "../../parts/time";
import { useWhile } from "./work";
import { settingsWords } from "./words";

type Client = PageClientsAnswer["clients"][number];
type Made = PageMakeTokenAnswer;

const GROUPS = {
  memory: ["memory", "decisions"],
  everything: ["memory", "decisions", "core", "comments"],
  documents: ["core", "comments"],
} as const;
type Range = keyof typeof GROUPS;

const LOOK_MS = 1500;
// A page that is left open does not ask for ever.
const LOOKS_MAX = 400;

export default function ClientsPart() {
  const words = settingsWords();
  const answer = useAnswer(
    () => call("page_clients", {}),
    [],
    () => false,
  );
  const chosen = address.value.searchParams.get("client");
  return (
    <>
      <Head title={words.clients} note={words.tools.note} />
      <Shown answer={answer}>
        {({ clients }) => {
          const client = clients.find((one) => one.name === chosen) ?? clients[0];
          return (
            <>
              <div class="pair" role="group" aria-label={words.tools.list}>
                {clients.map((one) => (
                  <Button
                    key={one.name}
                    pressed={one === client}
                    onClick={() => ask({ client: one.name }, { replaces: true })}
                  >
                    {one.title}
                  </Button>
                ))}
              </div>
              {client && <SetUp key={client.name} client={client} />}
            </>
          );
        }}
      </Shown>
    </>
  );
}

function SetUp({ client }: { client: Client }) {
  const words = settingsWords();
  const [where, setWhere] = useState<"remote" | "local">("remote");
  return (
    <section class="panel" aria-label={client.title}>
      <h2>{client.title}</h2>
      {client.local !== null && (
        <div class="pair">
          <Choice
            label={words.tools.where}
            value={where}
            of={[
              { value: "remote", label: words.tools.remote },
              { value: "local", label: words.tools.local },
            ]}
            onChange={setWhere}
          />
        </div>
      )}
      {where === "remote" ? <Remote client={client} /> : <Local client={client} />}
    </section>
  );
}

function Remote({ client }: { client: Client }) {
  const words = settingsWords();
  const hasMemory = may("page_memory");
  const [range, setRange] = useState<Range>(hasMemory ? "memory" : "documents");
  const [isReadOnly, setReadOnly] = useState(false);
  const [made, show] = useState<Made | null>(null);
  const make = async (): Promise<void> => {
    try {
      const groups = [...GROUPS[range]];
      show(await call("page_make_token", { label: client.title, groups, isReadOnly }));
    } catch (error) {
      tellError(error);
    }
  };
  if (made) return <Copying client={client} made={made} onAgain={() => show(null)} />;
  if (time.value !== null) return null;
  const ranges = (Object.keys(GROUPS) as Range[]).filter((one) => hasMemory || one === "documents");
  return (
    <>
      <div class="pair">
        <Choice
          label={words.tools.may}
          value={range}
          of={ranges.map((value) => ({ value, label: words.tools[value] }))}
          onChange={setRange}
        />
        <Check label={words.tools.readOnly} value={isReadOnly} onChange={setReadOnly} />
      </div>
      <div class="actions">
        <Button kind="primary" onClick={() => void make()}>
          {words.tools.make}
        </Button>
      </div>
    </>
  );
}

function Copying(given: { client: Client; made: Made; onAgain: () => void }) {
  const words = settingsWords();
  const { client, made } = given;
  const fill = (text: string): string =>
    text
      .replaceAll("ADDRESS_OF_SERVER", `${location.origin}/mcp`)
      .replaceAll("TOKEN_OF_CLIENT", made.secret);
  return (
    <>
      {client.command && <Copyable label={words.tools.command} text={fill(client.command)} />}
      <Copyable
        label={client.command ? words.tools.orFile(client.file) : words.tools.file(client.file)}
        text={fill(client.remote)}
        hint={words.tools.fileNote}
      />
      <p class="quiet-text">
        {words.tools.once} {client.name === "claude-desktop" && `${words.tools.bridge} `}
        {words.tools.restart}
      </p>
      <FirstCall token={made.token.id} label={made.token.label} />
      <div class="actions">
        <Button kind="quiet" onClick={given.onAgain}>
          {words.tools.again}
        </Button>
      </div>
    </>
  );
}

/** Waits until the token is first used, and says so. */
function FirstCall({ token, label }: { token: string; label: string }) {
  const words = settingsWords().tools;
  const [used, setUsed] = useState<string | null>(null);
  const [looks, setLooks] = useState(0);
  const [, setNow] = useState(0);
  const isWaiting = used === null && looks < LOOKS_MAX;
  const look = (): void => {
    setLooks((before) => before + 1);
    call("page_tokens", { tokenId: token }).then(
      ({ tokens }) => setUsed(tokens[0]?.lastUsed ?? null),
      () => undefined, // The frame says that the server cannot be reached.
    );
  };
  useWhile(isWaiting, look, LOOK_MS);
  // How long ago it was is told anew as long as it is seconds.
  useWhile(used !== null, () => setNow(Date.now()), 1000);
  if (used !== null)
    return (
      <p class="call-state" role="status">
        <Icon of={CircleCheck} size={20} />
        {words.called(label, secondsAgo(used))}
      </p>
    );
  if (isWaiting)
    return (
      <p class="call-state" role="status">
        <Icon of={LoaderCircle} size={20} />
        {words.waiting}
      </p>
    );
  return (
    <p class="call-state" role="status">
      {words.stopped}
      <Button small onClick={() => setLooks(0)}>
        {words.look}
      </Button>
    </p>
  );
}

function secondsAgo(when: string): string {
  const seconds = Math.max(0, Math.round((Date.now() - Date.parse(when)) / 1000));
  return seconds < 60 ? settingsWords().tools.seconds(seconds) : ago(when);
}

function Local({ client }: { client: Client }) {
  const words = settingsWords();
  return (
    <>
      <p class="quiet-text">{words.tools.localNote}</p>
      <Copyable label={words.tools.command} text={client.localCommand ?? ""} />
      <Copyable label={words.tools.localOr(client.file)} text={client.local ?? ""} />
      <p class="quiet-text">{words.tools.restart}</p>
    </>
  );
}
