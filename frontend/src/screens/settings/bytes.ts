import { language } from "../../app/settings";

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

/** A size as the language writes it, with three digits or so. */
export function bytes(size: number): string {
  const step = Math.min(
    UNITS.length - 1,
    Math.max(0, Math.floor(Math.log10(Math.max(1, size)) / 3)),
  );
  return new Intl.NumberFormat(language.value, {
    style: "unit",
    unit: UNITS[step] ?? "byte",
    unitDisplay: step === 0 ? "long" : "short",
    maximumSignificantDigits: 3,
  }).format(size / 1000 ** step);
}
