/** What cards have in common: who said it and when, folded until it is chosen. */
import type { ComponentChildren } from "preact";
import type { Said } from "../api/types";
import { When } from "../parts/time";
import { Who } from "../parts/who";
import { reviewWords } from "./words";

export interface CardProps {
  id: string;
  label: string;
  isChosen: boolean;
  onChoose: () => void;
  class?: string;
  children: ComponentChildren;
}

/** A click, and the focus on anything in it, chooses a card. */
export function Card({ id, label, isChosen, onChoose, class: name, children }: CardProps) {
  const choose = (): void => {
    if (!isChosen) onChoose();
  };
  return (
    <article
      class={["card", isChosen ? "is-chosen" : "is-folded", name].filter(Boolean).join(" ")}
      data-card={id}
      aria-label={label}
      tabIndex={isChosen ? -1 : 0}
      onClick={choose}
      onFocusIn={choose}
    >
      {children}
    </article>
  );
}

export function Byline({ said }: { said: Said & { edited?: string } }) {
  return (
    <p class="byline">
      <Who person={said.author} agent={said.via ?? null} />
      {said.created && <When at={said.created} />}
      {said.edited && <span class="edited">{reviewWords().edited}</span>}
    </p>
  );
}
