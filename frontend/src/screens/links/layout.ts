/** Places for the nodes of a graph: linked ones pull, all push each other away, the first stays. */

export interface Placed {
  id: string;
  x: number;
  y: number;
}

export interface Tie {
  source: string;
  target: string;
}

const STEPS = 250;
/** How long a tie likes to be, in pixels. */
const LENGTH = 120;
// Nodes begin on a spiral by this angle: no two are at one place, and results are always the same.
const GOLDEN = Math.PI * (3 - Math.sqrt(5));

export function layOut(ids: readonly string[], ties: readonly Tie[]): Placed[] {
  const nodes = ids.map((id, index) => ({
    id,
    x: Math.sqrt(index) * LENGTH * 0.6 * Math.cos(index * GOLDEN),
    y: Math.sqrt(index) * LENGTH * 0.6 * Math.sin(index * GOLDEN),
  }));
  const at = new Map(nodes.map((node) => [node.id, node]));
  const pairs = ties.flatMap(({ source, target }) => {
    const [a, b] = [at.get(source), at.get(target)];
    return a && b && a !== b ? [[a, b] as const] : [];
  });
  for (let step = 0; step < STEPS; step++) {
    // Large moves first, small ones at the end: so it comes to rest.
    const heat = LENGTH * 0.5 * (1 - step / STEPS);
    const moves = new Map(nodes.map((node) => [node, { x: 0, y: 0 }]));
    const push = (a: Placed, b: Placed, by: (distance: number) => number): void => {
      const [dx, dy] = [a.x - b.x, a.y - b.y];
      const distance = Math.max(Math.hypot(dx, dy), 1);
      const force = by(distance) / distance;
      const [one, other] = [moves.get(a)!, moves.get(b)!];
      one.x += dx * force;
      one.y += dy * force;
      other.x -= dx * force;
      other.y -= dy * force;
    };
    nodes.forEach((a, index) => {
      for (const b of nodes.slice(index + 1)) push(a, b, (distance) => LENGTH ** 2 / distance);
    });
    for (const [a, b] of pairs) push(a, b, (distance) => -(distance ** 2) / LENGTH);
    for (const [node, move] of moves) {
      const size = Math.max(Math.hypot(move.x, move.y), 0.01);
      const length = Math.min(size, heat) / size;
      node.x += move.x * length;
      node.y += move.y * length;
    }
  }
  const first = nodes[0];
  return nodes.map(({ id, x, y }) => ({ id, x: x - (first?.x ?? 0), y: y - (first?.y ?? 0) }));
}
