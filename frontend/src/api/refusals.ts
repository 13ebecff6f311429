/** What the server refused, in the user's language: by code and details, never by its sentences. */
import { language } from "../app/settings";
import { korean, refusalWords } from "./refusal-words";
import { ToolError } from "./tools";

type Fault = Record<string, unknown>;

export interface Told {
  message: string;
  hint: string;
  /** What the server says of it, in English, where the message says less. */
  said: string;
}

/** Reads an answer that is a refusal. */
export function refusalIn(status: number, answer: unknown): ToolError {
  const fault = faultIn(answer);
  const { message, hint, said } = tellOf(fault);
  return new ToolError(status, text(fault["code"]), message, hint, fault, said);
}

/** Says a failure in the language of the page. */
export function tellOf(fault: Fault): Told {
  const code = text(fault["code"]);
  const words = refusalWords();
  const { what, todo } = words[code as keyof typeof words] ?? words.other;
  const message = text(fault["message"]);
  const hint = text(fault["hint"]);
  if (language.value !== "ko") {
    return message ? { message, hint, said: "" } : { message: what, hint: todo, said: "" };
  }
  const exact = exactly(code, fault);
  if (exact) return { message: exact, hint: "", said: "" };
  const parameter = korean.parameters[text(fault["parameter"])];
  const { limit, size } = fault;
  const isBounded = typeof limit === "number" && typeof size === "number";
  return {
    message: parameter ? `${parameter}: ${what}` : what,
    hint: isBounded ? `${korean.bounds(limit, size)} ${todo}` : todo,
    said: `${message} ${hint}`.trim(),
  };
}

function exactly(code: string, fault: Fault): string {
  for (const [detail, sentence] of Object.entries(korean.exactly[code] ?? {})) {
    const value = fault[detail];
    if (typeof value === "string" || typeof value === "number") {
      return sentence(String(value), fault);
    }
  }
  return "";
}

/** Tools answer with the error, other paths with an object around it, uploads as OAuth does. */
function faultIn(answer: unknown): Fault {
  const outer = (answer ?? {}) as Fault;
  const inner = outer["error"];
  if (typeof inner === "string") return { code: inner, message: outer["error_description"] };
  return (inner ?? outer) as Fault;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
