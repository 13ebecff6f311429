/** Says when something was, as people do. */
const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

export function ago(when: string, now: number = Date.now()): string {
  const seconds = (now - Date.parse(when)) / 1000;
  if (Number.isNaN(seconds)) return "";
  if (seconds >= 7 * 86_400)
    return new Date(when).toLocaleDateString("en", { dateStyle: "medium" });
  const words = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  for (const [unit, size] of STEPS) {
    if (seconds >= size) return words.format(-Math.floor(seconds / size), unit);
  }
  return "just now";
}
