/** Keys that do something on this screen. `?` lists them; none works while the user types. */
import { signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";

export interface Key {
  /** As `event.key` names it, or two of them in turn: "g i". */
  keys: string;
  label: string;
  act: () => void;
}

/** The keys that work now, those of the innermost part last. */
export const keys = signal<readonly Key[]>([]);

const PAUSE_MS = 1000;
let before = "";
let beforeAt = 0;

/** Lets keys work as long as the component is shown. */
export function useKeys(given: readonly Key[]): void {
  const latest = useRef(given);
  latest.current = given;
  const names = given.map((key) => `${key.keys} ${key.label}`).join("\n");
  useLayoutEffect(() => {
    // By its name: the list may be another one by the time that a key is pressed.
    const mine = latest.current.map((key) => ({
      ...key,
      act: () => latest.current.find((one) => one.keys === key.keys)?.act(),
    }));
    keys.value = [...keys.peek(), ...mine];
    return () => (keys.value = keys.peek().filter((key) => !mine.includes(key)));
  }, [names]);
}

/** Hears the keys of the whole page. */
export function listenForKeys(): void {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || isTyping(event.target)) return;
    if (event.key === "Enter" && isPressed(event.target)) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector("dialog[open]")) return;
    const found = find(event.key, Date.now());
    if (!found) return;
    event.preventDefault();
    found.act();
  });
}

function find(pressed: string, now: number): Key | undefined {
  const both = now - beforeAt < PAUSE_MS ? `${before} ${pressed}` : "";
  before = pressed;
  beforeAt = now;
  const known = [...keys.value].reverse();
  return known.find((key) => key.keys === both) ?? known.find((key) => key.keys === pressed);
}

/** Whether Enter does something there by itself. */
function isPressed(target: EventTarget | null): boolean {
  return (target as HTMLElement | null)?.closest?.("a, button, summary") != null;
}

export function isTyping(target: EventTarget | null): boolean {
  const element = target as HTMLElement | null;
  if (!element?.closest) return false;
  // A box that is ticked takes no letters.
  const typed = "input:not([type=checkbox], [type=radio]), textarea, select";
  return element.closest(`${typed}, [contenteditable=true], .cm-editor`) !== null;
}

/** How the shortcut of the palette is written on this machine. */
export function shortcut(): string {
  return /Mac|iPhone|iPad/u.test(navigator.platform) ? "⌘K" : "Ctrl K";
}
