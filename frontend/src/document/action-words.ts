import { catalogue } from "../app/words";

export const actionWords = catalogue(
  {
    history: "History",
    links: "Links",
    source: "Show the source",
    preview: "Show the preview",
    authors: "Show who wrote what",
    noAuthors: "Hide who wrote what",
    attach: "Attach a file…",
    readers: "Who sees this",
    copyLink: "Copy the link",
    copied: "The link is copied.",
    publish: "Publish…",
  },
  {
    history: "기록",
    links: "링크",
    source: "원문 보기",
    preview: "미리 보기",
    authors: "작성자 표시",
    noAuthors: "작성자 숨기기",
    attach: "파일 첨부…",
    readers: "누가 보나요",
    copyLink: "링크 복사",
    copied: "링크를 복사했습니다.",
    publish: "게시…",
  },
);
