import { catalogue } from "../../app/words";

export const documentsWords = catalogue(
  {
    title: "Documents",
    search: "Search documents",
    make: "New document",
    titleOf: "Title of the document",
    create: "Create",
    empty: "No documents yet",
    emptyHint: "Write the first one: “New document” makes it, and agents can read it at once.",
    none: "No document fits these words.",
    untitled: "Untitled",
    list: "Documents",
  },
  {
    title: "문서",
    search: "문서 검색",
    make: "새 문서",
    titleOf: "문서 제목",
    create: "만들기",
    empty: "아직 문서가 없습니다",
    emptyHint:
      "첫 문서를 써 보세요. “새 문서”를 누르면 만들어지고, 에이전트도 바로 읽을 수 있습니다.",
    none: "이 단어에 맞는 문서가 없습니다.",
    untitled: "제목 없음",
    list: "문서",
  },
);
