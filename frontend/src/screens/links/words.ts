import { catalogue, number, plural } from "../../app/words";

export const linkWords = catalogue(
  {
    title: (name: string) => `Links of ${name}`,
    untitled: "Untitled",
    steps: "Steps",
    stepCount: (count: number) => plural(count, "step", "steps"),
    alike: "Alike documents too",
    back: "To the document",
    graph: (nodes: number, edges: number) =>
      `Graph of ${plural(nodes, "document", "documents")} and ${plural(edges, "link", "links")}; the lists below say the same`,
    to: "It links to",
    from: "Linked from",
    further: "Further away",
    near: "Alike",
    none: "No document links to this one, and it links to none.",
    noneHint: "Type [[ in the text to link to a document.",
    cut: (count: number) => `Only ${number(count)} documents are shown.`,
    unresolved: (count: number) => `${plural(count, "link leads", "links lead")} to no document.`,
  },
  {
    title: (name) => `${name}의 링크`,
    untitled: "제목 없음",
    steps: "단계",
    stepCount: (count) => `${number(count)}단계`,
    alike: "비슷한 문서도",
    back: "문서로",
    graph: (nodes, edges) =>
      `문서 ${number(nodes)}개와 링크 ${number(edges)}개의 그래프. 아래 목록과 같은 내용입니다`,
    to: "이 문서가 가리키는 문서",
    from: "이 문서를 가리키는 문서",
    further: "더 먼 문서",
    near: "비슷한 문서",
    none: "이 문서는 어떤 문서와도 링크로 이어져 있지 않습니다.",
    noneHint: "본문에 [[를 쓰면 문서로 가는 링크를 넣을 수 있습니다.",
    cut: (count) => `문서 ${number(count)}개만 보입니다.`,
    unresolved: (count) => `링크 ${number(count)}개는 가리키는 문서가 없습니다.`,
  },
);
