/** Days as the user counts them. */
import { time } from "../../app/location";
import { language } from "../../app/settings";
import { perLanguage } from "../../app/words";
import { eventWords } from "./words";

const DAY_MS = 86_400_000;
const hours = perLanguage((of) => new Intl.DateTimeFormat(of, { timeStyle: "short" }));

/** The day of a moment, as a date input writes it. */
export function dayOf(when: string | number): string {
  const date = new Date(when);
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 10);
}

/** The last moment of a day. */
export function endOf(day: string): string {
  return new Date(`${day}T23:59:59.999`).toISOString();
}

/** The last days, today last; "today" is the day that the user looks at. */
export function lastDays(count: number): string[] {
  const at = time.value ? Date.parse(time.value) : Date.now();
  const now = Number.isNaN(at) ? Date.now() : at;
  return Array.from({ length: count }, (_, index) => dayOf(now - (count - 1 - index) * DAY_MS));
}

export function dayInWords(day: string): string {
  const words = eventWords();
  if (day === dayOf(Date.now())) return words.today;
  if (day === dayOf(Date.now() - DAY_MS)) return words.yesterday;
  return new Date(`${day}T12:00`).toLocaleDateString(language.value, { dateStyle: "full" });
}

export function timeInWords(when: string): string {
  return hours().format(new Date(when));
}
