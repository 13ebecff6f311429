/** The cards of what is said: beside their words, or below each other in a sheet. */
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Seat } from "../document/seat";
import { headingPath } from "../editor/headings";
import { arrange } from "./arrange";
import { CommentCard } from "./comment-card";
import { Composer, keyOf } from "./composer";
import type { Desk } from "./desk";
import type { Item } from "./items";
import { SuggestionCard } from "./suggestion-card";

export interface CardsProps {
  seat: Seat;
  desk: Desk;
  items: readonly Item[];
  isSheet: boolean;
}

export function Cards({ seat, desk, items, isSheet }: CardsProps) {
  const place = useRef<HTMLDivElement>(null);
  const { board } = seat;
  const draft = seat.draft.value;
  const chosen = draft ? DRAFT : board.chosen.value;
  void seat.shape.value;
  const shown = nearby(items, board.chosen.value, isSheet ? null : seat.sight);
  const wanted = new Map(shown.map((item) => [item.id, item.at]));
  if (draft) wanted.set(DRAFT, draft.start);
  useLayoutEffect(() => {
    if (place.current) lay(place.current, { seat, wanted, chosen, isSheet });
  });
  const post = async (...given: Parameters<Desk["post"]>): Promise<boolean> => {
    const isPosted = await desk.post(...given);
    const { view } = seat.editor;
    // What was said is beside the words now: the bar for selected words need not cover them.
    if (isPosted) view.dispatch({ selection: { anchor: view.state.selection.main.to } });
    return isPosted;
  };
  const close = (): void => {
    seat.draft.value = null;
    seat.focus();
  };
  const drafted = draft && (
    <Composer
      key={keyOf(draft)}
      draft={draft}
      drafts={board.drafts}
      post={post}
      onClose={close}
      names={() => seat.names()}
    />
  );
  const before = draft ? shown.filter((item) => (item.at ?? Infinity) <= draft.start) : shown;
  const card = (item: Item) => <ItemCard key={item.id} item={item} desk={desk} seat={seat} />;
  return (
    <div ref={place} class="cards">
      {before.map(card)}
      {drafted}
      {shown.slice(before.length).map(card)}
    </div>
  );
}

const DRAFT = "draft";

/** More cards than this keep the page waiting; then those near what is looked at are shown. */
const CARDS_MAX = 100;
const CARDS_BEFORE = 20;

/** The cards around the chosen one, or else around what is in sight of the text. */
function nearby(
  items: readonly Item[],
  chosen: string | null,
  sight: number | null,
): readonly Item[] {
  if (items.length <= CARDS_MAX) return items;
  const place = items.findIndex((item) => item.id === chosen);
  const seen = items.findIndex((item) => (item.at ?? Infinity) >= (sight ?? 0));
  const at = place >= 0 ? place : Math.max(0, seen);
  const from = Math.max(0, Math.min(at - CARDS_BEFORE, items.length - CARDS_MAX));
  return items.slice(from, from + CARDS_MAX);
}

function ItemCard({ item, desk, seat }: { item: Item; desk: Desk; seat: Seat }) {
  const { board } = seat;
  const shared = {
    desk,
    isChosen: board.chosen.value === item.id,
    onChoose: () => {
      board.chosen.value = item.id;
      if (item.at !== null) seat.reveal(item.at);
    },
  };
  if (item.comment) {
    return <CommentCard comment={item.comment} names={() => seat.names()} {...shared} />;
  }
  const suggestion = item.suggestion!;
  const edit = (): void => {
    const place = board.placeOf(item.id);
    if (!place) return;
    const all = seat.room.text.toString();
    seat.draft.value = {
      kind: "suggestion",
      words: all.slice(place.from, place.to),
      text: suggestion.replacementText,
      start: place.from,
      path: headingPath(all, place.from),
      replaces: item.id,
    };
  };
  return <SuggestionCard suggestion={suggestion} onEdit={edit} {...shared} />;
}

interface Lay {
  seat: Seat;
  wanted: ReadonlyMap<string, number | null>;
  chosen: string | null;
  isSheet: boolean;
}

/** Puts the cards beside their words; what has no words in the text comes below the others. */
function lay(place: HTMLElement, { seat, wanted, chosen, isSheet }: Lay): void {
  const cards = [...place.querySelectorAll<HTMLElement>(":scope > .card")];
  if (isSheet) {
    for (const card of cards) card.style.top = "";
    place.style.height = "";
    return;
  }
  const ids = cards.map((card) => card.dataset["card"] ?? "");
  const placed = cards.map((card, index) => {
    const at = wanted.get(ids[index]!) ?? null;
    const top = at === null ? 0 : seat.topOf(at, place);
    return { wanted: top, height: card.offsetHeight };
  });
  const tops = arrange(placed, ids.indexOf(chosen ?? ""));
  cards.forEach((card, index) => (card.style.top = `${tops[index]}px`));
  const last = placed.at(-1);
  place.style.height = last ? `${tops.at(-1)! + last.height}px` : "";
}
