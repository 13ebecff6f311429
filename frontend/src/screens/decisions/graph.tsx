/** Decisions as a graph: the newest on top, what they replace or grew from below. */
import { ZoomIn, ZoomOut } from "lucide";
import { useMemo, useState } from "preact/hooks";
import type { PageDecisionGraphAnswer } from "../../../../docs/reference/page";
import { call } from "../../api/tools";
import { useAnswer } from "../../app/answers";
import { ask } from "../../app/location";
import { Button } from "../../parts/button";
import { Shown } from "../../parts/state";
import { arrange, HEIGHT, WIDTH, type Node } from "./arrange";
import { topicLink } from "./dialogs";
import { StatusMark, STATUSES, statusOf, type Status } from "./status";
import { isAboutDecisions } from "./topics";
import { decisionWords } from "./words";

export interface GraphProps {
  topic: string | null;
}

const SCALES = [0.5, 0.75, 1, 1.25];

export function Graph({ topic }: GraphProps) {
  const answer = useAnswer(
    () => call("page_decision_graph", topic ? { topic } : {}),
    [topic],
    isAboutDecisions,
  );
  return (
    <div class="graph">
      <Shown answer={answer}>{(graph) => <Drawing graph={graph} />}</Shown>
    </div>
  );
}

function Drawing({ graph }: { graph: PageDecisionGraphAnswer }) {
  const words = decisionWords();
  const [scale, setScale] = useState(2);
  const drawn = useMemo(() => arrange(graph), [graph]);
  const zoom = SCALES[scale] ?? 1;
  if (graph.nodes.length === 0) return <p class="quiet-text">{words.empty}</p>;
  const label = words.graphLabel(graph.nodes.length, graph.edges.length);
  return (
    <>
      <div class="graph-bar">
        <Legend />
        <Button
          kind="quiet"
          icon={ZoomOut}
          label={words.smaller}
          disabled={scale === 0}
          onClick={() => setScale(scale - 1)}
        />
        <Button
          kind="quiet"
          icon={ZoomIn}
          label={words.larger}
          disabled={scale === SCALES.length - 1}
          onClick={() => setScale(scale + 1)}
        />
        <Button kind="quiet" onClick={() => ask({ view: null })}>
          {words.asList}
        </Button>
      </div>
      {graph.more && <p class="quiet-text">{words.graphMore(graph.nodes.length)}</p>}
      <div class="graph-area" tabIndex={0} role="group" aria-label={label}>
        <svg
          width={drawn.width * zoom}
          height={drawn.height * zoom}
          viewBox={`0 0 ${drawn.width} ${drawn.height}`}
        >
          <defs>
            <marker
              id="arrow"
              viewBox="0 0 8 8"
              refX="7"
              refY="4"
              markerWidth="8"
              markerHeight="8"
              orient="auto"
            >
              <path d="M0 0L8 4L0 8z" />
            </marker>
          </defs>
          {drawn.edges.map((edge) => (
            <path
              key={edge.id}
              class={edge.isSuperseding ? "edge" : "edge other"}
              d={edge.path}
              marker-end="url(#arrow)"
            >
              <title>{edge.relationship}</title>
            </path>
          ))}
          {drawn.nodes.map(({ node, x, y }) => (
            <foreignObject key={node.id} x={x} y={y} width={WIDTH} height={HEIGHT}>
              <NodeCard node={node} />
            </foreignObject>
          ))}
        </svg>
      </div>
    </>
  );
}

function NodeCard({ node }: { node: Node }) {
  const words = decisionWords();
  const status = node.isSuperseded ? "superseded" : statusOf(node);
  const isOther = node.type !== "decision";
  return (
    <a
      class={`node ${isOther ? "other" : status}`}
      href={topicLink(node.topic, node.id)}
      title={node.decision}
    >
      <span class="node-text">{node.decision}</span>
      <span class="node-about">
        {isOther ? (
          words[node.type as "insight"]
        ) : (
          <>
            <StatusMark of={status} />
            {node.isSuperseded && node.outcome && <StatusMark of={statusOf(node)} />}
          </>
        )}
      </span>
    </a>
  );
}

function Legend() {
  const words = decisionWords();
  return (
    <ul class="legend" aria-label={words.legend}>
      {(Object.keys(STATUSES) as Status[]).map((status) => (
        <li key={status}>
          <StatusMark of={status} />
        </li>
      ))}
      <li>
        <svg width="28" height="8" aria-hidden="true">
          <path class="edge" d="M0 4H28" />
        </svg>
        {words.replacesLine}
      </li>
      <li>
        <svg width="28" height="8" aria-hidden="true">
          <path class="edge other" d="M0 4H28" />
        </svg>
        {words.otherLine}
      </li>
    </ul>
  );
}
