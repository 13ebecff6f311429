/** Where the nodes and links of a graph go; the same graph is always drawn in the same way. */
import { Graph, layout } from "@dagrejs/dagre";
import type { PageDecisionGraphAnswer } from "../../../../docs/reference/page";

export type Node = PageDecisionGraphAnswer["nodes"][number];
type Edge = PageDecisionGraphAnswer["edges"][number];

/** Of a node, in pixels. */
export const WIDTH = 208;
export const HEIGHT = 76;
const GAP = 24;
// What is not linked is laid side by side up to this width.
const SHEET = 820;

export interface Drawn {
  width: number;
  height: number;
  nodes: { node: Node; x: number; y: number }[];
  edges: (Edge & { id: string; path: string })[];
}

/** Lays out what hangs together, and puts the pieces into rows. */
export function arrange(graph: PageDecisionGraphAnswer): Drawn {
  const whole: Drawn = { width: 0, height: 0, nodes: [], edges: [] };
  let [left, top, row] = [0, 0, 0];
  for (const piece of pieces(graph).map(arrangePiece)) {
    if (left > 0 && left + piece.width > SHEET) [left, top, row] = [0, top + row + GAP, 0];
    const [x, y] = [left, top];
    whole.nodes.push(...piece.nodes.map((one) => ({ ...one, x: one.x + x, y: one.y + y })));
    for (const { points, ...edge } of piece.edges) {
      const way = points.map((point) => `${(point.x + x).toFixed(1)} ${(point.y + y).toFixed(1)}`);
      const id = `${edge.source} ${edge.target} ${edge.relationship}`;
      whole.edges.push({ ...edge, id, path: `M${way.join("L")}` });
    }
    left += piece.width + GAP;
    row = Math.max(row, piece.height);
    whole.width = Math.max(whole.width, left);
    whole.height = top + row;
  }
  return whole;
}

interface Piece {
  nodes: Node[];
  edges: Edge[];
}

/** The parts of a graph that hang together: the largest first, what is alone last. */
function pieces({ nodes, edges }: PageDecisionGraphAnswer): Piece[] {
  const root = new Map(nodes.map((node) => [node.id, node.id]));
  const find = (id: string): string => {
    const above = root.get(id) ?? id;
    return above === id ? id : find(above);
  };
  for (const edge of edges) root.set(find(edge.source), find(edge.target));
  const found = new Map<string, Piece>();
  for (const node of nodes) {
    const piece = found.get(find(node.id)) ?? { nodes: [], edges: [] };
    piece.nodes.push(node);
    found.set(find(node.id), piece);
  }
  for (const edge of edges) found.get(find(edge.source))?.edges.push(edge);
  return [...found.values()].sort((one, other) => other.nodes.length - one.nodes.length);
}

type Point = { x: number; y: number };

function arrangePiece({ nodes, edges }: Piece) {
  const plan = new Graph({ multigraph: true });
  plan.setGraph({ rankdir: "TB", nodesep: GAP, ranksep: 40, marginx: 2, marginy: 2 });
  plan.setDefaultEdgeLabel(() => ({}));
  for (const node of nodes) plan.setNode(node.id, { width: WIDTH, height: HEIGHT });
  for (const edge of edges) plan.setEdge(edge.source, edge.target, {}, edge.relationship);
  layout(plan);
  const { width = 0, height = 0 } = plan.graph() as { width?: number; height?: number };
  return {
    width,
    height,
    nodes: nodes.map((node) => {
      const { x, y } = plan.node(node.id) as Point;
      return { node, x: x - WIDTH / 2, y: y - HEIGHT / 2 };
    }),
    edges: edges.map((edge) => {
      const way = plan.edge(edge.source, edge.target, edge.relationship) as { points: Point[] };
      return { ...edge, points: way.points };
    }),
  };
}
