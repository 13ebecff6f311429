import { catalogue, number } from "../app/words";

export const searchWords = catalogue(
  {
    find: "Find in the text",
    matchCase: "Match case",
    wholeWords: "Whole words",
    pattern: "Regular expression",
    noPattern: "Not a regular expression",
    none: "Nothing found",
    place: (at: number, count: number, isMore: boolean) => {
      const all = isMore ? `more than ${number(count)}` : number(count);
      return at > 0 ? `${number(at)} of ${all}` : `${all} found`;
    },
    previous: "Previous (Shift+Enter)",
    next: "Next (Enter)",
    close: "Close (Escape)",
    replacement: "Replace with",
    replace: "Replace",
    replaceAll: "Replace all",
    // What the editor says to screen readers, by its own words.
    spoken: {} as Record<string, string>,
  },
  {
    find: "본문에서 찾기",
    matchCase: "대소문자 구분",
    wholeWords: "단어 전체",
    pattern: "정규식",
    noPattern: "정규식이 아닙니다",
    none: "찾지 못했습니다",
    place: (at, count, isMore) => {
      const all = isMore ? `${number(count)}개 이상` : `${number(count)}개`;
      return at > 0 ? `${all} 중 ${number(at)}번째` : `${all} 찾음`;
    },
    previous: "이전 (Shift+Enter)",
    next: "다음 (Enter)",
    close: "닫기 (Escape)",
    replacement: "바꿀 말",
    replace: "바꾸기",
    replaceAll: "모두 바꾸기",
    spoken: {
      "current match": "현재 찾은 곳",
      "on line": "줄",
      "replaced match on line $": "$번째 줄에서 바꿨습니다",
      "replaced $ matches": "$곳을 바꿨습니다",
      Completions: "완성 목록",
    },
  },
);
