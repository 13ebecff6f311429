/** A button that is on or off, and is remembered by this browser. */
import { button, icon } from "../page/elements";

export function toggle(
  label: string,
  symbol: string,
  options: { name: string; initially: boolean; changed: (isOn: boolean) => void },
): HTMLButtonElement {
  const key = `strata.${options.name}`;
  let isOn = options.initially;
  try {
    isOn = (localStorage.getItem(key) ?? String(options.initially)) === "true";
  } catch {
    // A browser may keep nothing; then the button starts as it does for everybody.
  }
  const made = button("", () => set(!isOn), {
    class: "quiet toggle",
    title: label,
    aria: { label },
  });
  made.append(icon(symbol));
  const set = (now: boolean): void => {
    isOn = now;
    made.setAttribute("aria-pressed", String(now));
    options.changed(now);
    try {
      localStorage.setItem(key, String(now));
    } catch {
      // As above.
    }
  };
  set(isOn);
  return made;
}
