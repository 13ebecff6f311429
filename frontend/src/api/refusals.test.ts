import { afterEach, expect, test } from "vitest";
import { language } from "../app/settings";
import { refusalIn } from "./refusals";

afterEach(() => {
  language.value = "en";
});

const said = (answer: object) => {
  const { code, message, hint, said } = refusalIn(400, answer);
  return { code, message, hint, said };
};

test("a page in English says what the server says", () => {
  const fault = { code: "not_found", message: "There is no branch 'x'.", hint: "Fork it." };
  expect(said(fault)).toEqual({ ...fault, said: "" });
});

test("a page in Korean says it by the code and the details, and needs no sentence", () => {
  language.value = "ko";
  expect(said({ code: "not_found", message: "No branch.", branch: "초안" })).toEqual({
    code: "not_found",
    message: "“초안” 브랜치가 없습니다.",
    hint: "",
    said: "",
  });
  const refused = { code: "not_allowed", message: "No.", need: "editor", role: "viewer" };
  expect(said(refused).message).toBe("“편집” 권한이 필요합니다. 지금 권한: “읽기”.");
  const full = { code: "not_allowed", message: "No.", folders: 2, documents: 1200 };
  expect(said(full).message).toContain("문서 1,200개, 폴더 2개");
});

test("a page in Korean shows the server's sentence where it says more than the code", () => {
  language.value = "ko";
  const fault = {
    code: "invalid_input",
    message: "'x' is no email.",
    hint: "Look.",
    parameter: "email",
  };
  expect(said(fault)).toEqual({
    code: "invalid_input",
    message: "이메일: 쓸 수 없는 값입니다.",
    hint: "고친 뒤 다시 시도하세요.",
    said: "'x' is no email. Look.",
  });
});

test("a limit is said in numbers", () => {
  language.value = "ko";
  const fault = { code: "limit_exceeded", message: "Long.", limit: 1000, size: 1200 };
  expect(said(fault).hint).toBe("최대 1,000, 지금 1,200. 줄이거나 나누어서 하세요.");
});

test("an answer without a sentence is said in both languages", () => {
  expect(said({ code: "locked" }).message).toBe("Another process holds the store.");
  expect(said({}).message).toBe("The server could not do this.");
  language.value = "ko";
  expect(said({}).message).toBe("서버가 처리하지 못했습니다.");
});

test("a refused upload is read like every other refusal", () => {
  const answer = { error: "limit_exceeded", error_description: "Too long." };
  expect(said(answer)).toMatchObject({ code: "limit_exceeded", message: "Too long." });
});
