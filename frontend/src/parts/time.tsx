/** When something was: in words, with the exact time on hover. */
import { perLanguage } from "../app/words";
import { partWords } from "./words";

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];
const WEEK_S = 7 * 86_400;

const relative = perLanguage((of) => new Intl.RelativeTimeFormat(of, { numeric: "auto" }));
const dates = perLanguage((of) => new Intl.DateTimeFormat(of, { dateStyle: "medium" }));
const times = perLanguage(
  (of) => new Intl.DateTimeFormat(of, { dateStyle: "medium", timeStyle: "short" }),
);

export function ago(when: string, now: number = Date.now()): string {
  const seconds = (now - Date.parse(when)) / 1000;
  if (Number.isNaN(seconds)) return "";
  if (Math.abs(seconds) >= WEEK_S) return dates().format(new Date(when));
  for (const [unit, size] of STEPS) {
    if (seconds >= size) return relative().format(-Math.floor(seconds / size), unit);
  }
  return partWords().justNow;
}

/** The whole date and time, as the language writes it. */
export function exactly(when: string): string {
  const date = new Date(when);
  if (Number.isNaN(date.getTime())) return when;
  return times().format(date);
}

const PHRASE = /^(\d{1,6}) (minute|hour|day|week|month|year)s? ago$/u;

/** A past time of an address, for readers: a date, or words such as “2 days ago”. */
export function moment(at: string): string {
  const [, count, unit] = PHRASE.exec(at) ?? [];
  return unit
    ? relative().format(-Number(count), unit as Intl.RelativeTimeFormatUnit)
    : exactly(at);
}

export function When({ at }: { at: string }) {
  return (
    <time dateTime={at} title={exactly(at)}>
      {ago(at)}
    </time>
  );
}
