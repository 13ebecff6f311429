/** Calls the tools of the server: the same ones, with the same rights, that agents call. */
import type { Calls } from "../../../docs/reference/page";
import { branch, time } from "../app/location";
import { partWords } from "../parts/words";
import type { About, Collaborator, Me, Said } from "./types";

export class ToolError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly hint: string = "",
    readonly details: Record<string, unknown> = {},
    /** What the server says of it, in English, where the message says less. */
    readonly said: string = "",
  ) {
    super(message);
  }
}

/** What went wrong, as an error of a tool, whatever was thrown. */
export function asToolError(error: unknown): ToolError {
  if (error instanceof ToolError) return error;
  return new ToolError(0, "page", error instanceof Error ? error.message : String(error));
}

export type Arguments = Record<string, unknown>;
export type Call = <T>(tool: string, given: Arguments) => Promise<T>;

/** On which branch, and at which time, a tool is called; null is the usual branch, or now. */
export interface Where {
  branch?: string | null;
  at?: string | null;
}

/** Calls a tool where the user looks: on the branch and at the time of the address. */
export async function call<N extends keyof Calls>(
  tool: N,
  given: Calls[N]["arguments"],
  where: Where = {},
): Promise<Calls[N]["answer"]> {
  const there = { branch: branch.peek(), at: time.peek(), ...where };
  return post<Calls[N]["answer"]>(tool, given, there);
}

async function post<T>(tool: string, given: unknown, where: Where, send = ownFetch): Promise<T> {
  const query = new URLSearchParams();
  if (where.branch) query.set("branch", where.branch);
  if (where.at) query.set("at", where.at);
  const path = `/api/tools/${tool}${query.size > 0 ? `?${query.toString()}` : ""}`;
  const headers = { "Content-Type": "application/json" };
  const options = { method: "POST", headers, body: JSON.stringify(given) };
  return (await answerOf(await reach(send, path, options))) as T;
}

const ownFetch: typeof fetch = (...given) => fetch(...given);

/** Returns a way to call tools on one branch; null is the one that the server takes by itself. */
export function toolsOn(branch: string | null, send: typeof fetch = ownFetch): Call {
  return <T>(tool: string, given: Arguments) => post<T>(tool, given, { branch }, send);
}

export async function whoAmI(send: typeof fetch = fetch.bind(window)): Promise<Me> {
  return (await answerOf(await reach(send, "/api/me"))) as Me;
}

/** Signs this browser in by the code of the first visit. */
export async function sendHello(code: string): Promise<void> {
  const headers = { "Content-Type": "application/json" };
  const options = { method: "POST", headers, body: JSON.stringify({ code }) };
  await answerOf(await reach(ownFetch, "/api/hello", options));
}

/** What a link offers; `signIn` where only a user may know. */
export interface Offer {
  signIn: boolean;
  /** The name of the user who would join; null for a new person. */
  user?: string | null;
  by?: string;
  role?: "viewer" | "commenter" | "editor";
  team?: string | null;
  title?: string | null;
}

/** Asks what a link offers, by the code of its address. */
export function lookAtLink(code: string): Promise<Offer> {
  return sendToJoin({ code });
}

/** Takes what a link offers, and returns where it leads. */
export function joinByLink(code: string, name: string | null): Promise<{ path: string }> {
  return sendToJoin({ code, joins: true, ...(name === null ? {} : { name }) });
}

async function sendToJoin<T>(body: Arguments): Promise<T> {
  const headers = { "Content-Type": "application/json" };
  const options = { method: "POST", headers, body: JSON.stringify(body) };
  return (await answerOf(await reach(ownFetch, "/api/join", options))) as T;
}

/** What the page asks about one document. */
export class DocumentTools {
  constructor(
    readonly document: string,
    private readonly call: Call,
  ) {}

  about(): Promise<About> {
    return this.call("page_about", { documentId: this.document });
  }

  /** When a character of the text was written, and in which task. */
  origin(at: { client: number; clock: number }): Promise<Calls["page_origin"]["answer"]> {
    return this.call("page_origin", { documentId: this.document, ...at });
  }

  async collaborators(): Promise<Collaborator[]> {
    const given = { documentId: this.document };
    return (await this.call<{ collaborators: Collaborator[] }>("get_presence", given))
      .collaborators;
  }

  said(): Promise<Said> {
    return this.call("page_review", { documentId: this.document });
  }

  comment<T>(action: string, given: Arguments = {}): Promise<T> {
    return this.call("manage_comments", { action, documentId: this.document, ...given });
  }

  suggestion<T>(action: string, given: Arguments = {}): Promise<T> {
    return this.call("manage_suggestions", { action, documentId: this.document, ...given });
  }
}

async function reach(
  send: typeof fetch,
  path: string,
  options: RequestInit = {},
): Promise<Response> {
  try {
    return await send(path, { credentials: "same-origin", ...options });
  } catch {
    throw new ToolError(0, "offline", partWords().offline);
  }
}

async function answerOf(response: Response): Promise<unknown> {
  if (!response.ok) throw await refusedBy(response);
  return response.json().catch(() => null);
}

/** Reads what the server refused; the words for it are loaded when they are first needed. */
export async function refusedBy(response: Response): Promise<ToolError> {
  const answer: unknown = await response.json().catch(() => null);
  return import("./refusals").then(
    ({ refusalIn }) => refusalIn(response.status, answer),
    // The server was updated or is gone: the status still tells what follows.
    () => new ToolError(response.status, "other", partWords().failed),
  );
}
