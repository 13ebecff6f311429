/** Puts cards beside their words, as near as the cards above and below let them. */

const GAP_PX = 8;

export interface Placed {
  /** Where its words are, from the top. */
  wanted: number;
  height: number;
}

/**
 * Returns where each card begins. The one that is looked at is exactly beside its words; those
 * above it give way upwards, all others downwards.
 */
export function arrange(cards: readonly Placed[], chosen: number, top = 0): number[] {
  const tops: number[] = [];
  let free = top;
  for (const card of cards) {
    const at = Math.max(card.wanted, free);
    tops.push(at);
    free = at + card.height + GAP_PX;
  }
  const main = cards[chosen];
  if (!main) return tops;
  tops[chosen] = Math.max(main.wanted, top);
  for (let index = chosen - 1; index >= 0; index--) {
    const most = tops[index + 1]! - cards[index]!.height - GAP_PX;
    tops[index] = Math.min(tops[index]!, most);
  }
  const over = top - (tops[0] ?? top);
  // Too many above: then all of them move down, and the chosen one with them.
  if (over > 0) for (let index = 0; index <= chosen; index++) tops[index]! += over;
  for (let index = chosen + 1; index < cards.length; index++) {
    const least = tops[index - 1]! + cards[index - 1]!.height + GAP_PX;
    tops[index] = Math.max(cards[index]!.wanted, least);
  }
  return tops;
}
