/** Catalogues of words: each folder has its own, in English and in Korean, and both are complete. */
import { language, type Language } from "./settings";

type Says = string | ((...given: never[]) => string);
export interface Catalogue {
  [name: string]: Says | Catalogue;
}

/** The same names, with the same parameters, in another language. */
type Same<T> = {
  [K in keyof T]: T[K] extends (...given: infer G) => string
    ? (...given: G) => string
    : T[K] extends string
      ? string
      : Same<T[K]>;
};

/** Returns the words in the language of the user; a component that calls it follows changes. */
export function catalogue<T extends Catalogue>(en: T, ko: Same<T>): () => Same<T> {
  return () => (language.value === "ko" ? ko : (en as unknown as Same<T>));
}

/** Keeps what is made for a language: making a formatter takes a hundred times what it formats. */
export function perLanguage<T>(make: (language: Language) => T): () => T {
  const made = new Map<Language, T>();
  return () => {
    const found = made.get(language.value) ?? make(language.value);
    made.set(language.value, found);
    return found;
  };
}

const numbers = perLanguage((of) => new Intl.NumberFormat(of));

/** A number as the language writes it. */
export function number(value: number): string {
  return numbers().format(value);
}

/** English has two forms; Korean needs none. */
export function plural(count: number, one: string, many: string): string {
  return `${number(count)} ${count === 1 ? one : many}`;
}
