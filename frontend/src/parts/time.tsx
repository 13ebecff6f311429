/** When something was: in words, with the exact time on hover. */
import { language } from "../app/settings";
import { partWords } from "./words";

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];
const WEEK_S = 7 * 86_400;

export function ago(when: string, now: number = Date.now()): string {
  const seconds = (now - Date.parse(when)) / 1000;
  if (Number.isNaN(seconds)) return "";
  if (Math.abs(seconds) >= WEEK_S)
    return new Date(when).toLocaleDateString(language.value, { dateStyle: "medium" });
  const words = new Intl.RelativeTimeFormat(language.value, { numeric: "auto" });
  for (const [unit, size] of STEPS) {
    if (seconds >= size) return words.format(-Math.floor(seconds / size), unit);
  }
  return partWords().justNow;
}

/** The whole date and time, as the language writes it. */
export function exactly(when: string): string {
  const date = new Date(when);
  if (Number.isNaN(date.getTime())) return when;
  return date.toLocaleString(language.value, { dateStyle: "medium", timeStyle: "short" });
}

export function When({ at }: { at: string }) {
  return (
    <time dateTime={at} title={exactly(at)}>
      {ago(at)}
    </time>
  );
}
