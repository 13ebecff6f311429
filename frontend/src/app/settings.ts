/** What this browser remembers for its user: language, theme, and what is folded. */
import { effect, signal, type Signal } from "@preact/signals";

export type Language = "en" | "ko";
export type Theme = "system" | "light" | "dark";

/** A value that this browser keeps under a name; `known` refuses what it cannot mean. */
export function kept<T extends string>(
  name: string,
  first: T,
  known: (value: string) => value is T,
): Signal<T> {
  const key = `strata.${name}`;
  const found = read(key);
  const value = signal(found !== null && known(found) ? found : first);
  effect(() => write(key, value.value));
  return value;
}

/** A switch that this browser keeps under a name. */
export function keptSwitch(name: string, first: boolean): Signal<boolean> {
  const key = `strata.${name}`;
  const found = read(key);
  const value = signal(found === null ? first : found === "true");
  effect(() => write(key, String(value.value)));
  return value;
}

const YEAR_S = 365 * 24 * 3600;

const isLanguage = (value: string): value is Language => value === "en" || value === "ko";
const isTheme = (value: string): value is Theme => ["system", "light", "dark"].includes(value);

export const language = kept<Language>(
  "language",
  navigator.language.toLowerCase().startsWith("ko") ? "ko" : "en",
  isLanguage,
);
export const theme = kept<Theme>("theme", "system", isTheme);

/** Keeps the page's own attributes in step with the settings. */
export function applySettings(root: HTMLElement = document.documentElement): void {
  effect(() => {
    root.lang = language.value;
    root.dataset["theme"] = theme.value;
    // Pages of the server itself, such as the one to sign in on, follow these.
    remember("strata_language", language.value);
    remember("strata_theme", theme.value);
  });
}

function remember(name: string, value: string): void {
  document.cookie = `${name}=${value}; Path=/; Max-Age=${YEAR_S}; SameSite=Lax`;
}

// A browser may keep nothing; then the settings last as long as the page.
function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // As above.
  }
}
