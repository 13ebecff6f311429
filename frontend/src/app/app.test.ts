import { h, render } from "preact";
import { expect, test } from "vitest";
import { Commands } from "../parts/commands";
import { folderName } from "../parts/folder-name";
import { caveatOf } from "../parts/hit";
import { hitPath } from "../parts/hit-link";
import { moment } from "../parts/time";
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

test("what the server says of a hit and of a past time is in the language of the user", () => {
  const said = "replaced by cache/2; FAILED: 가격이; 틀렸다; review was due 2026-01-01";
  const said2 = "PARTIAL";
  language.value = "en";
  expect(caveatOf(said)).toBe(
    "Replaced by cache/2; Failed: 가격이; 틀렸다; Review was due 2026-01-01",
  );
  expect([caveatOf(said2), caveatOf("of its own kind")]).toEqual([
    "Worked in part",
    "of its own kind",
  ]);
  expect([moment("2 days ago"), moment("1 hour ago"), moment("someday")]).toEqual([
    "2 days ago",
    "1 hour ago",
    "someday",
  ]);
  language.value = "ko";
  expect(caveatOf(said)).toBe("대체됨: cache/2; 실패: 가격이; 틀렸다; 검토 기한 지남: 2026-01-01");
  expect([caveatOf(said2), moment("3 days ago")]).toEqual(["부분 성공", "3일 전"]);
  language.value = "en";
});

test("only a user's own folder has another name in Korean", () => {
  expect(["Personal", "Personal notes", "기획"].map(folderName)).toEqual([
    "Personal",
    "Personal notes",
    "기획",
  ]);
  language.value = "ko";
  expect(["Personal", "Personal notes"].map(folderName)).toEqual(["개인", "Personal notes"]);
  language.value = "en";
});

test("words between backticks are shown as code, and a single backtick as it is", () => {
  const shown = (text: string): string => {
    const place = document.createElement("p");
    render(h(Commands, { text }), place);
    return place.innerHTML;
  };
  expect(shown("Run `strata agent work`, or `a`.")).toBe(
    "Run <code>strata agent work</code>, or <code>a</code>.",
  );
  expect(shown("`<b>`")).toBe("<code>&lt;b&gt;</code>");
  expect(shown("a ` b")).toBe("a ` b");
});
