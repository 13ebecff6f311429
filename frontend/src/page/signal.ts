/** Something that happens, and those who want to know. */
export class Signal<T> {
  private readonly listeners = new Set<(value: T) => void>();

  /** Calls the listener from now on; the result ends that. */
  on(listener: (value: T) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  emit(value: T): void {
    for (const listener of [...this.listeners]) listener(value);
  }
}
