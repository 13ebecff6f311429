/** Cmd-K opens the palette. */
import { signal } from "@preact/signals";

export const isPaletteOpen = signal(false);

/** Opens the palette by its shortcut, also while the user types. */
export function listenForPalette(): void {
  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey)
      return;
    event.preventDefault();
    isPaletteOpen.value = !isPaletteOpen.value;
  });
}
