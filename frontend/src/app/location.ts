/** Where the user is: the address, with the branch and the time that every screen obeys. */
import { computed, signal } from "@preact/signals";

export const address = signal(new URL(location.href));

/** The branch that the address names; null is the one that the server takes by itself. */
export const branch = computed(() => address.value.searchParams.get("branch"));

/** The past time that the address names; null is now. */
export const time = computed(() => address.value.searchParams.get("at"));

export type Query = Record<string, string | number | null | undefined>;

/** The address of a screen, on the branch and at the time that the user looks at. */
export function link(path: string, query: Query = {}): string {
  const kept = { branch: branch.value, at: time.value, ...query };
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(kept)) {
    if (value !== null && value !== undefined && value !== "") given.set(name, String(value));
  }
  const words = given.toString();
  return words ? `${path}?${words}` : path;
}

/** Goes to a screen without loading the page anew. */
export function go(to: string, options: { replaces?: boolean } = {}): void {
  const next = new URL(to, location.href);
  if (next.href === address.value.href) return;
  if (options.replaces) history.replaceState(null, "", next);
  else history.pushState(null, "", next);
  address.value = next;
}

/** Changes what the address asks, and stays on the screen. */
export function ask(query: Query, options: { replaces?: boolean } = {}): void {
  const now = Object.fromEntries(address.value.searchParams);
  go(link(address.value.pathname, { ...now, ...query }), options);
}

/** Lets links to screens of the app change the address, as long as the page lives. */
export function followLinks(isScreen: (path: string) => boolean): void {
  addEventListener("popstate", () => (address.value = new URL(location.href)));
  document.addEventListener("click", (event) => {
    const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
    const anchor = (event.target as Element | null)?.closest?.("a");
    if (event.defaultPrevented || event.button !== 0 || !isPlain || !anchor) return;
    if (anchor.target || anchor.hasAttribute("download")) return;
    const to = new URL(anchor.href, location.href);
    const isHere = to.pathname === location.pathname && to.search === location.search;
    if (to.origin !== location.origin || !isScreen(to.pathname) || (isHere && to.hash)) return;
    event.preventDefault();
    go(to.href);
  });
}
