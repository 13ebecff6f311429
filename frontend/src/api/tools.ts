/** Calls the tools of the server: the same ones, with the same rights, that agents call. */
import type { Collaborator, Comment, Finds, Listed, Me, ReadDocument, Suggestion } from "./types";

export class ToolError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly hint: string = "",
    readonly details: Record<string, unknown> = {},
  ) {
    super(message);
  }
}

export type Arguments = Record<string, unknown>;
export type Call = <T>(tool: string, given: Arguments) => Promise<T>;

/** Returns a way to call tools on one branch; null is the one that the server takes by itself. */
export function toolsOn(branch: string | null, send: typeof fetch = fetch.bind(window)): Call {
  return async <T>(tool: string, given: Arguments): Promise<T> => {
    const body = JSON.stringify(branch ? { ...given, branch } : given);
    const headers = { "Content-Type": "application/json" };
    const response = await reach(send, `/api/tools/${tool}`, { method: "POST", headers, body });
    return (await answerOf(response)) as T;
  };
}

export async function whoAmI(send: typeof fetch = fetch.bind(window)): Promise<Me> {
  return (await answerOf(await reach(send, "/api/me"))) as Me;
}

/** What the page asks about one document. */
export class DocumentTools {
  constructor(
    readonly document: string,
    private readonly call: Call,
  ) {}

  about(): Promise<ReadDocument> {
    return this.call("read_document", { documentId: this.document, maxTokens: 0 });
  }

  async collaborators(): Promise<Collaborator[]> {
    const given = { documentId: this.document };
    return (await this.call<{ collaborators: Collaborator[] }>("get_presence", given))
      .collaborators;
  }

  comments(): Promise<Comment[]> {
    return this.whole(
      "manage_comments",
      (answer: { comments: Comment[] } & Listed) => answer.comments,
    );
  }

  suggestions(): Promise<Suggestion[]> {
    return this.whole(
      "manage_suggestions",
      (answer: { suggestions: Suggestion[] } & Listed) => answer.suggestions,
    );
  }

  comment<T>(action: string, given: Arguments = {}): Promise<T> {
    return this.call("manage_comments", { action, documentId: this.document, ...given });
  }

  suggestion<T>(action: string, given: Arguments = {}): Promise<T> {
    return this.call("manage_suggestions", { action, documentId: this.document, ...given });
  }

  /** Fetches a list to its end: the server cuts it to what a model can read. */
  private async whole<A extends Listed, T>(tool: string, part: (answer: A) => T[]): Promise<T[]> {
    const all: T[] = [];
    let given: Arguments | undefined = { action: "list", documentId: this.document };
    while (given) {
      const answer: A = await this.call(tool, given);
      all.push(...part(answer));
      given = answer.next?.arguments;
    }
    return all;
  }
}

/** Documents, newest first, or those that fit some words. */
export function findDocuments(call: Call, query: string, nextToken?: string): Promise<Finds> {
  const intent = query ? { intent: "search", query } : { intent: "list" };
  const more = nextToken ? { nextToken } : {};
  return call("find", { ...intent, scope: { type: "all" }, limit: 50, ...more });
}

export async function createDocument(call: Call, title: string): Promise<string> {
  const content = `# ${title}\n\n`;
  const made = await call<{ documentId: string }>("edit_document", {
    action: "create",
    title,
    content,
  });
  return made.documentId;
}

async function reach(
  send: typeof fetch,
  path: string,
  options: RequestInit = {},
): Promise<Response> {
  try {
    return await send(path, { credentials: "same-origin", ...options });
  } catch {
    throw new ToolError(0, "offline", "The server cannot be reached.", "Try again in a moment.");
  }
}

async function answerOf(response: Response): Promise<unknown> {
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok) return answer;
  const outer = (answer ?? {}) as Record<string, unknown>;
  const fault = (outer["error"] ?? outer) as Record<string, unknown>;
  const message = text(fault["message"]) || `The server answered ${response.status}.`;
  throw new ToolError(response.status, text(fault["code"]), message, text(fault["hint"]), fault);
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
