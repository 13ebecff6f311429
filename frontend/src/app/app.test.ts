import { expect, test } from "vitest";
import { hitPath } from "../parts/hit";
import { address, ask, branch, go, link, time } from "./location";
import { placeOf } from "./memory-address";
import { match, type Route } from "./routes";
import { language } from "./settings";
import { catalogue, plural } from "./words";

test("a path names a screen, and the parts of it that vary", () => {
  const load = () => Promise.reject(new Error("not loaded here"));
  const routes: Route[] = ["/", "/d/:id", "/d/:id/history", "/memory/*key"].map((pattern) => ({
    pattern,
    load,
  }));
  const found = (path: string) => {
    const matched = match(path, routes);
    return matched && [matched.route.pattern, matched.params];
  };
  expect(found("/")).toEqual(["/", {}]);
  expect(found("/d/doc_1")).toEqual(["/d/:id", { id: "doc_1" }]);
  expect(found("/d/doc_1/history")).toEqual(["/d/:id/history", { id: "doc_1" }]);
  expect(found("/memory")).toEqual(["/memory/*key", { key: "" }]);
  expect(found("/memory/api/%ED%95%9C%EB%8F%84")).toEqual(["/memory/*key", { key: "api/한도" }]);
  expect(found("/memory/50%")).toEqual(["/memory/*key", { key: "50%" }]);
  expect(found("/d")).toBeNull();
  expect(found("/nowhere")).toBeNull();
});

test("every link keeps the branch and the time", () => {
  go("/?branch=%EC%B4%88%EC%95%88&at=2026-11-01T00%3A00%3A00Z");
  expect([branch.value, time.value]).toEqual(["초안", "2026-11-01T00:00:00Z"]);
  expect(link("/docs")).toBe("/docs?branch=%EC%B4%88%EC%95%88&at=2026-11-01T00%3A00%3A00Z");
  expect(link("/find", { q: "한도", at: null })).toBe(
    "/find?branch=%EC%B4%88%EC%95%88&q=%ED%95%9C%EB%8F%84",
  );
  ask({ at: null, q: "x" });
  expect(address.value.search).toBe("?branch=%EC%B4%88%EC%95%88&q=x");
});

test("what was found in memory has an address that leads to it, whatever its name", () => {
  for (const key of ["결제/한도", "new\nline", "a//b", "..", "api/\u0007bell", "100%"]) {
    const path = hitPath({ kind: "fact", id: `default/${key}` });
    expect(placeOf(new URL(path, location.href))).toMatchObject({ namespace: "default", key });
  }
});

test("words follow the language", () => {
  const words = catalogue(
    { things: (count: number) => plural(count, "thing", "things") },
    { things: (count) => `${count}개` },
  );
  language.value = "en";
  expect([words().things(1), words().things(1200)]).toEqual(["1 thing", "1,200 things"]);
  language.value = "ko";
  expect(words().things(2)).toBe("2개");
  language.value = "en";
});
