/** What was decided: topics, a timeline or a graph, outcomes, and what replaced what. */
import { Plus } from "lucide";
import { useState } from "preact/hooks";
import { useKeys } from "../../app/keys";
import { address, ask, time } from "../../app/location";
import { may } from "../../app/me";
import type { ScreenProps } from "../../app/routes";
import { Button } from "../../parts/button";
import { Head } from "../../parts/head";
import { late } from "../../parts/late";
import { Skeleton } from "../../parts/state";
import { Deciding, Judging, type Entry } from "./dialogs";
import { Timeline } from "./timeline";
import { Topics } from "./topics";
import { decisionWords } from "./words";
import "./decisions.css";

/** Its layout needs a library, which is loaded when the graph is first shown. */
const Graph = late(() => import("./graph").then((part) => part.Graph), <Skeleton />);

type Doing = { what: "judge" | "supersede"; entry: Entry } | { what: "make" } | null;

export default function DecisionsScreen({ params }: ScreenProps) {
  const words = decisionWords();
  const given = address.value.searchParams;
  const topic = params["topic"] || given.get("topic");
  const view = given.get("view");
  const isGraph = view === "graph";
  const [doing, set] = useState<Doing>(null);
  const [turn, setTurn] = useState(0);
  const isNow = time.value === null;
  const close = (): void => set(null);
  const again = (): void => setTurn((before) => before + 1);
  const show = (other: string | null): void => ask({ view: other });
  useKeys([
    isGraph
      ? { keys: "v", label: words.showTimeline, act: () => show(null) }
      : { keys: "v", label: words.showGraph, act: () => show("graph") },
  ]);
  const can = (tool: string): boolean => isNow && may(tool);
  return (
    <div class="screen wide decisions">
      <Head title={topic ?? words.title}>
        <span class="view-switch" role="group" aria-label={words.view}>
          <Button pressed={!isGraph} onClick={() => show(null)}>
            {words.timeline}
          </Button>
          <Button pressed={isGraph} onClick={() => show("graph")}>
            {words.graph}
          </Button>
        </span>
        {can("save_decision") && (
          <Button kind="primary" icon={Plus} onClick={() => set({ what: "make" })}>
            {words.make}
          </Button>
        )}
      </Head>
      <div class="decisions-panes">
        <Topics topic={topic} view={view} />
        {isGraph ? (
          <Graph topic={topic} />
        ) : (
          <Timeline
            topic={topic}
            id={given.get("id")}
            turn={turn}
            {...(can("evolve_outcome")
              ? { judge: (entry: Entry) => set({ what: "judge", entry }) }
              : {})}
            {...(can("evolve_supersede")
              ? { supersede: (entry: Entry) => set({ what: "supersede", entry }) }
              : {})}
          />
        )}
      </div>
      {doing?.what === "make" && <Deciding topic={topic ?? ""} onClose={close} onDone={again} />}
      {doing?.what === "supersede" && (
        <Deciding
          topic={doing.entry.topic ?? ""}
          old={doing.entry}
          onClose={close}
          onDone={again}
        />
      )}
      {doing?.what === "judge" && <Judging of={doing.entry} onClose={close} onDone={again} />}
    </div>
  );
}
