import { expect, test } from "vitest";
import { DocumentTools, ToolError, toolsOn } from "../api/tools";
import { livePath } from "../live/early";
import { safeColour, NO_COLOUR } from "../people/colours";
import { initials } from "../people/names";
import { signInPath } from "./leaving";
import { ago } from "../parts/time";

test("a live room is known by its document and branch", () => {
  expect(livePath("doc_1", "초안")).toBe("/live/doc_1?branch=%EC%B4%88%EC%95%88");
  expect(livePath("a/b", null)).toBe("/live/a%2Fb");
});

test("signing in leads back to where one was", () => {
  expect(signInPath({ pathname: "/d/x", search: "?branch=b" })).toBe(
    "/sign-in?next=%2Fd%2Fx%3Fbranch%3Db",
  );
});

test("initials are letters in any script", () => {
  expect(["Ann Lee", "김소연", "  élodie  ", "👩‍🚀 Kim", ""].map(initials)).toEqual([
    "AL",
    "김",
    "É",
    "👩‍🚀K",
    "?",
  ]);
});

test("only a colour is drawn as one", () => {
  expect(safeColour("#336699")).toBe("#336699");
  expect(safeColour("hsl(210 50% 40%)")).toBe("hsl(210 50% 40%)");
  for (const trick of ["red; position: fixed", "url(x)", "var(--x)", 7, undefined]) {
    expect(safeColour(trick)).toBe(NO_COLOUR);
  }
});

test("times are said as people do", () => {
  const now = Date.parse("2026-11-15T12:00:00Z");
  expect(ago("2026-11-15T11:59:30Z", now)).toBe("just now");
  expect(ago("2026-11-15T11:45:00Z", now)).toBe("15 minutes ago");
  expect(ago("2026-11-14T11:00:00Z", now)).toBe("yesterday");
  expect(ago("2026-10-01T00:00:00Z", now)).toBe("Oct 1, 2026");
  expect(ago("nonsense", now)).toBe("");
});

function answering(...answers: [number, unknown][]) {
  const asked: [string, unknown][] = [];
  const send = (path: string, options?: RequestInit): Promise<Response> => {
    asked.push([path, JSON.parse(String(options?.body ?? "null"))]);
    const [status, body] = answers.shift()!;
    return Promise.resolve(new Response(JSON.stringify(body), { status }));
  };
  return { asked, send: send as typeof fetch };
}

test("a tool is called on the branch of the page", async () => {
  const { asked, send } = answering([200, { title: "제목" }]);
  const answer = await toolsOn("초안", send)("read_document", { documentId: "doc_1" });
  expect(answer).toEqual({ title: "제목" });
  expect(asked).toEqual([
    ["/api/tools/read_document?branch=%EC%B4%88%EC%95%88", { documentId: "doc_1" }],
  ]);
});

test("a refusal keeps its code, its hint and what came with it", async () => {
  const { send } = answering([
    409,
    { code: "conflict", message: "No.", hint: "Look.", currentText: "지금" },
  ]);
  const refused = await toolsOn(null, send)("manage_suggestions", {}).catch(
    (error: unknown) => error,
  );
  expect(refused).toBeInstanceOf(ToolError);
  expect(refused).toMatchObject({
    status: 409,
    code: "conflict",
    hint: "Look.",
    details: { currentText: "지금" },
  });
});

test("a server out of reach is said in words", async () => {
  const send = (() => Promise.reject(new TypeError("failed"))) as typeof fetch;
  await expect(toolsOn(null, send)("find", {})).rejects.toMatchObject({ code: "offline" });
});

test("what is said about a document comes in one answer", async () => {
  const { asked, send } = answering([200, { comments: [{ commentId: "a" }], suggestions: [] }]);
  const said = await new DocumentTools("doc_1", toolsOn(null, send)).said();
  expect(said.comments.map((one) => one.commentId)).toEqual(["a"]);
  expect(asked).toEqual([["/api/tools/page_review", { documentId: "doc_1" }]]);
});
