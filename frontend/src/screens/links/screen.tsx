/** What a document links to and what links to it, as a graph and as lists. */
import "./links.css";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { call } from "../../api/tools";
import { useAnswer } from "../../app/answers";
import { address, ask, link } from "../../app/location";
import type { ScreenProps } from "../../app/routes";
import { Check, Choice } from "../../parts/field";
import { Head } from "../../parts/head";
import { Empty, Shown } from "../../parts/state";
import { layOut } from "./layout";
import { linkWords } from "./words";

const MOST = 200;
const STEPS = ["1", "2", "3"] as const;
const MARGIN = 80;
const TITLE_CHARACTERS = 24;

const fetchGraph = (documentId: string, depth: number) =>
  call("get_document_graph", { documentId, depth, maxNodes: MOST });

type Found = Awaited<ReturnType<typeof fetchGraph>>;
type Node = Found["nodes"][number];

export default function LinksScreen({ params }: ScreenProps) {
  const id = params["id"] ?? "";
  const asked = address.value.searchParams;
  const steps = STEPS.find((one) => one === asked.get("steps")) ?? "2";
  const isAlike = asked.get("alike") === "1";
  const answer = useAnswer(
    () => fetchGraph(id, Number(steps)),
    [id, steps],
    (change) => change.kinds.includes("document"),
  );
  return (
    <div class="screen links">
      <Shown answer={answer}>
        {(found) => <Links id={id} found={found} steps={steps} isAlike={isAlike} />}
      </Shown>
    </div>
  );
}

interface LinksProps {
  id: string;
  found: Found;
  steps: (typeof STEPS)[number];
  isAlike: boolean;
}

function Links({ id, found, steps, isAlike }: LinksProps) {
  const words = linkWords();
  const graph = useMemo(() => chosen(found, isAlike), [found, isAlike]);
  const own = found.nodes.find((node) => node.id === id);
  return (
    <>
      <Head title={words.title(titleOf(own))}>
        <Check
          label={words.alike}
          value={isAlike}
          onChange={(value) => ask({ alike: value ? 1 : null })}
        />
        <Choice
          label={words.steps}
          hidesLabel
          value={steps}
          of={STEPS.map((value) => ({ value, label: words.stepCount(Number(value)) }))}
          onChange={(value) => ask({ steps: value })}
        />
        <a class="button" href={link(`/d/${encodeURIComponent(id)}`)}>
          {words.back}
        </a>
      </Head>
      {graph.nodes.length < 2 ? (
        <Empty title={words.none}>
          <p>{words.noneHint}</p>
        </Empty>
      ) : (
        <>
          <Drawing id={id} graph={graph} />
          {found.truncated && <p class="quiet-text">{words.cut(found.nodes.length)}</p>}
          <Lists id={id} graph={graph} />
        </>
      )}
      {(found.unresolvedLinks ?? 0) > 0 && (
        <p class="quiet-text">{words.unresolved(found.unresolvedLinks!)}</p>
      )}
    </>
  );
}

/** The graph without what is only alike, unless that is wanted. */
function chosen({ nodes, edges }: Found, isAlike: boolean): Pick<Found, "nodes" | "edges"> {
  if (isAlike) return { nodes, edges };
  return {
    nodes: nodes.filter((node) => node.depth !== null),
    edges: edges.filter((edge) => edge.type !== "semantic"),
  };
}

function titleOf(node: Node | undefined): string {
  return node?.title || linkWords().untitled;
}

function Drawing({ id, graph }: { id: string; graph: Pick<Found, "nodes" | "edges"> }) {
  const words = linkWords();
  const drawn = useMemo(() => draw(id, graph), [id, graph]);
  const label = words.graph(graph.nodes.length, graph.edges.length);
  const area = useRef<HTMLDivElement>(null);
  // Where the graph is wider than the screen, the document itself is in the middle at first.
  useLayoutEffect(() => {
    const [shown, own] = [area.current, drawn.at.get(id)];
    if (shown && own)
      shown.scrollTo(
        own.x - drawn.left - shown.clientWidth / 2,
        own.y - drawn.top - shown.clientHeight / 2,
      );
  }, [drawn]);
  return (
    <div ref={area} class="graph-area" role="group" aria-label={label} tabIndex={0}>
      <svg viewBox={drawn.box} width={drawn.width} height={drawn.height}>
        {graph.edges.map((edge) => {
          const [from, to] = [drawn.at.get(edge.source), drawn.at.get(edge.target)];
          return (
            from &&
            to && (
              <line
                key={`${edge.source} ${edge.target} ${edge.type}`}
                class={edge.type === "semantic" ? "edge other" : "edge"}
                x1={from.x}
                y1={from.y}
                x2={to.x}
                y2={to.y}
              />
            )
          );
        })}
        {graph.nodes.map((node) => {
          const { x, y } = drawn.at.get(node.id)!;
          return (
            <a
              key={node.id}
              href={link(`/d/${encodeURIComponent(node.id)}/links`)}
              class={node.id === id ? "dot own" : "dot"}
            >
              <title>{titleOf(node)}</title>
              <circle cx={x} cy={y} r={node.id === id ? 10 : 7} />
              <text x={x} y={y + 22} text-anchor="middle">
                {short(titleOf(node))}
              </text>
            </a>
          );
        })}
      </svg>
    </div>
  );
}

function draw(id: string, { nodes, edges }: Pick<Found, "nodes" | "edges">) {
  const ids = [id, ...nodes.map((node) => node.id).filter((one) => one !== id)];
  const placed = layOut(ids, edges);
  const xs = placed.map((one) => one.x);
  const ys = placed.map((one) => one.y);
  const [left, top] = [Math.min(...xs) - MARGIN, Math.min(...ys) - MARGIN / 2];
  const width = Math.max(...xs) - left + MARGIN;
  const height = Math.max(...ys) - top + MARGIN / 2;
  const at = new Map(placed.map((one) => [one.id, one]));
  return { at, left, top, width, height, box: `${left} ${top} ${width} ${height}` };
}

function short(title: string): string {
  const letters = [...title];
  return letters.length > TITLE_CHARACTERS
    ? `${letters.slice(0, TITLE_CHARACTERS - 1).join("")}…`
    : title;
}

function Lists({ id, graph }: { id: string; graph: Pick<Found, "nodes" | "edges"> }) {
  const words = linkWords();
  const links = graph.edges.filter((edge) => edge.type !== "semantic");
  const to = new Set(links.filter((edge) => edge.source === id).map((edge) => edge.target));
  const from = new Set(links.filter((edge) => edge.target === id).map((edge) => edge.source));
  const others = graph.nodes.filter((node) => node.id !== id);
  const parts: [string, Node[]][] = [
    [words.to, others.filter((node) => to.has(node.id))],
    [words.from, others.filter((node) => from.has(node.id))],
    [words.further, others.filter((node) => (node.depth ?? 0) > 1)],
    [words.near, others.filter((node) => node.depth === null)],
  ];
  return (
    <div class="link-lists">
      {parts
        .filter(([, nodes]) => nodes.length > 0)
        .map(([label, nodes]) => (
          <section key={label} aria-label={label}>
            <h2>{label}</h2>
            <ul>
              {nodes.map((node) => (
                <li key={node.id}>
                  <a href={link(`/d/${encodeURIComponent(node.id)}`)}>{titleOf(node)}</a>
                </li>
              ))}
            </ul>
          </section>
        ))}
    </div>
  );
}
