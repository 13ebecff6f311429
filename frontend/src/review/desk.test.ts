import { afterEach, expect, test, vi } from "vitest";
import type { Suggestion } from "../api/types";
import type { Board } from "./board";
import { Desk } from "./desk";

afterEach(() => vi.unstubAllGlobals());

/** A desk beside a server that answers decisions when it is let go on, and notes all calls. */
function deskOf(refused: readonly string[] = []) {
  const calls: string[] = [];
  let goOn = (): void => undefined;
  const mayDecide = new Promise<void>((resolve) => (goOn = resolve));
  vi.stubGlobal("fetch", async (path: string, { body }: { body: string }) => {
    const tool = path.slice(path.lastIndexOf("/") + 1);
    const { suggestionId } = JSON.parse(body) as { suggestionId: string };
    calls.push(`${tool} ${suggestionId}`);
    if (tool === "page_decide") await mayDecide;
    const isRefused = refused.includes(suggestionId);
    const answer = isRefused ? { error: { code: "conflict", message: "decided" } } : { version: 7 };
    return new Response(JSON.stringify(answer), { status: isRefused ? 409 : 200 });
  });
  const board = { tools: { document: "doc_1" }, load: () => Promise.resolve() };
  const host = {
    me: () => "ann",
    role: () => "editor" as const,
    whenSaved: () => Promise.resolve(),
  };
  return { desk: new Desk(board as unknown as Board, host), calls, goOn: () => goOn() };
}

const suggestions = (...ids: string[]) =>
  ids.map((suggestionId) => ({ suggestionId }) as unknown as Suggestion);

test("an undo waits for the decisions that the server still makes, and reverses all", async () => {
  const { desk, calls, goOn } = deskOf();
  const deciding = desk.decideAll(suggestions("하나", "둘"), "reject");
  const undoing = desk.undo();
  await Promise.resolve();
  expect(calls).toEqual(["page_decide 하나"]);
  goOn();
  await Promise.all([deciding, undoing]);
  expect(calls).toEqual([
    "page_decide 하나",
    "page_decide 둘",
    "page_reverse_decision 둘",
    "page_reverse_decision 하나",
  ]);
  await desk.undo();
  expect(calls).toHaveLength(4);
});

test("what the server refused is not taken back, and the decisions before it are", async () => {
  const { desk, calls, goOn } = deskOf(["둘"]);
  goOn();
  await desk.decideAll(suggestions("하나"), "accept");
  await desk.decideAll(suggestions("둘"), "accept");
  await desk.undo();
  expect(calls).toEqual(["page_decide 하나", "page_decide 둘", "page_reverse_decision 하나"]);
});
