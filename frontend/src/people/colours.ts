/** Colours of people, which others may have chosen: only what is surely a colour is drawn. */
const COLOUR = /^(#[0-9a-f]{3,8}|(rgb|hsl|oklch|oklab)a?\([\d\s.,%/a-z-]{1,60}\))$/i;
export const NO_COLOUR = "#64748b";

export function safeColour(value: unknown): string {
  return typeof value === "string" && COLOUR.test(value) ? value : NO_COLOUR;
}
