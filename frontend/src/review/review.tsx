/** Comments and suggestions: beside their words where there is room, else in a sheet on request. */
import { ChevronLeft, ChevronRight, X } from "lucide";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { useKeys } from "../app/keys";
import { me } from "../app/me";
import type { Seat } from "../document/seat";
import { headingPath } from "../editor/headings";
import { Button } from "../parts/button";
import { Choice } from "../parts/field";
import { partWords } from "../parts/words";
import { arrange } from "./arrange";
import { CommentCard } from "./comment-card";
import { Composer } from "./composer";
import { Desk } from "./desk";
import { itemsOf, type Filter, type Item } from "./items";
import { SuggestionCard } from "./suggestion-card";
import { reviewWords } from "./words";

export interface ReviewProps {
  seat: Seat;
  /** In a sheet the cards follow each other, instead of their words. */
  isSheet: boolean;
  onClose: () => void;
}

export function Review({ seat, isSheet, onClose }: ReviewProps) {
  const words = reviewWords();
  const [filter, setFilter] = useState<Filter>("all");
  const desk = useMemo(() => new Desk(seat.board, hostOf(seat)), [seat]);
  const items = itemsOf(seat.board, filter, me.value?.person.name ?? "");
  const chosen = seat.board.chosen.value;
  const choose = (item: Item | undefined): void => {
    if (!item) return;
    seat.board.chosen.value = item.id;
    if (item.at !== null) seat.reveal(item.at);
  };
  useReviewKeys(desk, items, choose);
  return (
    <aside class={isSheet ? "side sheet" : "side"} aria-label={words.review}>
      <Head items={items} chosen={chosen} choose={choose}>
        <Choice
          label={words.filter}
          hidesLabel
          value={filter}
          of={FILTERS.map((value) => ({ value, label: words[value] }))}
          onChange={setFilter}
        />
        {isSheet && <Button kind="quiet" icon={X} label={partWords().close} onClick={onClose} />}
      </Head>
      <Cards seat={seat} desk={desk} items={items} isSheet={isSheet} />
      {items.length === 0 && !seat.draft.value && (
        <p class="side-empty">{desk.mayComment() ? words.nothingYet : words.nothing}</p>
      )}
    </aside>
  );
}

const FILTERS: readonly Filter[] = ["all", "comments", "suggestions", "mine", "resolved"];

function hostOf(seat: Seat) {
  const { room, editor } = seat;
  return {
    me: () => me.value?.person.id ?? "",
    role: () => room.role,
    whenSaved: () => room.whenSaved(),
    replace: (from: number, to: number, insert: string) =>
      editor.view.dispatch({ changes: { from, to, insert }, userEvent: "input.suggestion" }),
  };
}

function Head(given: {
  items: readonly Item[];
  chosen: string | null;
  choose: (item: Item | undefined) => void;
  children: preact.ComponentChildren;
}) {
  const words = reviewWords();
  const { items, chosen, choose } = given;
  const at = items.findIndex((item) => item.id === chosen);
  return (
    <header class="side-head">
      {given.children}
      <p class="side-place" aria-live="polite">
        {at >= 0 ? words.place(at + 1, items.length) : words.open(items.length)}
      </p>
      <Button
        kind="quiet"
        icon={ChevronLeft}
        label={words.previous}
        disabled={items.length === 0}
        onClick={() => choose(beside(items, chosen, -1))}
      />
      <Button
        kind="quiet"
        icon={ChevronRight}
        label={words.next}
        disabled={items.length === 0}
        onClick={() => choose(beside(items, chosen, 1))}
      />
    </header>
  );
}

/** The item before or behind the chosen one, round the ends. */
function beside(items: readonly Item[], chosen: string | null, step: 1 | -1): Item | undefined {
  const at = items.findIndex((item) => item.id === chosen);
  if (at < 0) return step > 0 ? items[0] : items.at(-1);
  return items[(at + step + items.length) % items.length];
}

function useReviewKeys(
  desk: Desk,
  items: readonly Item[],
  choose: (item: Item | undefined) => void,
): void {
  const words = reviewWords();
  const { chosen } = desk.board;
  const now = (): Item | undefined => items.find((item) => item.id === chosen.peek());
  const decide = (decision: "accept" | "reject") => (): void => {
    const suggestion = now()?.suggestion;
    const next = beside(items, chosen.peek(), 1);
    if (suggestion && desk.mayEdit()) {
      void desk.decide(suggestion, decision).then((refused) => !refused && choose(next));
    }
  };
  const resolve = (): void => {
    const comment = now()?.comment;
    if (comment && desk.mayComment()) void desk.settle(comment, "resolve");
  };
  useKeys([
    { keys: "n", label: words.keyNext, act: () => choose(beside(items, chosen.peek(), 1)) },
    { keys: "p", label: words.keyPrevious, act: () => choose(beside(items, chosen.peek(), -1)) },
    { keys: "a", label: words.keyAccept, act: decide("accept") },
    { keys: "r", label: words.keyReject, act: decide("reject") },
    { keys: "e", label: words.keyResolve, act: resolve },
  ]);
}

interface CardsProps {
  seat: Seat;
  desk: Desk;
  items: readonly Item[];
  isSheet: boolean;
}

function Cards({ seat, desk, items, isSheet }: CardsProps) {
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
  const close = (): void => {
    seat.draft.value = null;
    seat.focus();
  };
  const drafted = draft && (
    <Composer
      key={DRAFT}
      draft={draft}
      post={(...given) => desk.post(...given)}
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
export function nearby(
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
