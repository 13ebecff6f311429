/** Comments and suggestions: beside their words where there is room, else in a sheet on request. */
import { ChevronLeft, ChevronRight, X } from "lucide";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useKeys } from "../app/keys";
import { address, ask } from "../app/location";
import { may, me } from "../app/me";
import type { Suggestion } from "../api/types";
import type { Seat } from "../document/seat";
import { Button } from "../parts/button";
import { Choice } from "../parts/field";
import { late } from "../parts/late";
import { partWords } from "../parts/words";
import { Cards } from "./cards";
import { Desk } from "./desk";
import { itemsOf, type Filter, type Item } from "./items";
import { decidable, type Ruling } from "./rulings";
import { reviewWords } from "./words";

const RulingDialog = late(() => import("./ruling").then((part) => part.RulingDialog));

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
  useRevealed(seat, items);
  const suggestions = items.flatMap((item) => item.suggestion ?? []);
  const [ruling, rule] = useState<Ruling | null>(null);
  const mayRule = desk.mayEdit() && may("page_decide") && suggestions.length > 1;
  const progress = desk.progress.value;
  const offer = mayRule && !progress ? rule : null;
  useReviewKeys(desk, items, choose, offer);
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
      {offer && <All suggestions={suggestions} rule={offer} />}
      <p class="side-progress" role="status">
        {progress && words.ruledSoFar(progress.done, progress.count)}
      </p>
      {ruling && (
        <RulingDialog
          desk={desk}
          ruling={ruling}
          suggestions={suggestions}
          onClose={() => rule(null)}
        />
      )}
      <Cards seat={seat} desk={desk} items={items} isSheet={isSheet} />
      {seat.board.isLoaded.value && items.length === 0 && !seat.draft.value && (
        <p class="side-empty">{desk.mayComment() ? words.nothingYet : words.nothing}</p>
      )}
    </aside>
  );
}

const FILTERS: readonly Filter[] = ["all", "comments", "suggestions", "mine", "resolved"];

function hostOf(seat: Seat) {
  const { room } = seat;
  return {
    me: () => me.value?.person.id ?? "",
    role: () => room.role,
    whenSaved: () =>
      room.whenSaved().catch(() => {
        throw new Error(reviewWords().unsaved);
      }),
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

/** Goes to the words of the card that the address names, once they are known. */
function useRevealed(seat: Seat, items: readonly Item[]): void {
  const wanted = useRef(address.peek().searchParams.get("card"));
  const at = items.find((item) => item.id === wanted.current)?.at ?? null;
  useEffect(() => {
    if (at === null) return;
    seat.reveal(at);
    // Only once: the user goes on from there.
    wanted.current = null;
    ask({ card: null }, { replaces: true });
  }, [at !== null]);
}

/** Decides about all suggestions that are listed, once the user has seen what that does. */
function All(given: { suggestions: readonly Suggestion[]; rule: (ruling: Ruling) => void }) {
  const words = reviewWords();
  const { suggestions, rule } = given;
  return (
    <div class="side-all" role="group" aria-label={words.allSuggestions(suggestions.length)}>
      <Button
        small
        disabled={decidable(suggestions, "accept").length === 0}
        onClick={() => rule("accept")}
      >
        {words.acceptAll}
        <kbd>{KEYS.accept}</kbd>
      </Button>
      <Button small onClick={() => rule("reject")}>
        {words.rejectAll}
        <kbd>{KEYS.reject}</kbd>
      </Button>
    </div>
  );
}

/** The capitals of the keys that decide about one suggestion. */
const KEYS = { accept: "A", reject: "R" } as const;

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
  rule: ((ruling: Ruling) => void) | null,
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
    ...(rule
      ? [
          { keys: KEYS.accept, label: words.acceptAll, act: () => rule("accept") },
          { keys: KEYS.reject, label: words.rejectAll, act: () => rule("reject") },
        ]
      : []),
    ...(desk.mayEdit() && may("page_reverse_decision")
      ? [{ keys: "z", label: words.keyUndo, act: () => void desk.undo() }]
      : []),
  ]);
}
