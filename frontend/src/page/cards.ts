/** Keeps cards in step with what they show, without losing what a user types into one. */
export interface Card<T> {
  readonly root: HTMLElement;
  show(item: T): void;
}

export class Cards<T> {
  private readonly cards = new Map<string, Card<T>>();

  constructor(
    private readonly list: HTMLElement,
    private readonly make: (item: T) => Card<T>,
  ) {}

  /** Shows these items in this order: known ones keep their element and whatever has the focus. */
  show(items: readonly T[], key: (item: T) => string): void {
    const wanted = new Set(items.map(key));
    const gone = [...this.cards.keys()].filter((id) => !wanted.has(id));
    const hadFocus = gone.some((id) => this.cards.get(id)?.root.contains(document.activeElement));
    for (const id of gone) this.drop(id);
    items.forEach((item, index) => this.put(key(item), item, index));
    // A user who works by keyboard goes on with the next card, not from the top of the page.
    if (hadFocus)
      (this.list.querySelector<HTMLElement>("button:not([hidden])") ?? this.list).focus();
  }

  get(id: string): Card<T> | undefined {
    return this.cards.get(id);
  }

  private drop(id: string): void {
    this.cards.get(id)?.root.remove();
    this.cards.delete(id);
  }

  private put(id: string, item: T, index: number): void {
    let card = this.cards.get(id);
    if (!card) {
      card = this.make(item);
      this.cards.set(id, card);
    }
    card.show(item);
    const there = this.list.children[index];
    if (there !== card.root) this.list.insertBefore(card.root, there ?? null);
  }
}
