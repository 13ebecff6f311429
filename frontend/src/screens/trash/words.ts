import { catalogue, number, plural } from "../../app/words";

const docs = (count: number): string => plural(count, "document", "documents");

export const trashWords = catalogue(
  {
    title: "Trash",
    count: docs,
    note: "Documents here are not found by search and shown on no page. Nothing is lost until it is deleted for ever.",
    filter: "Filter by title",
    list: "Documents in the trash",
    empty: "The trash is empty",
    emptyHint: "“Move to trash” in a list of documents puts one here, and it can be restored.",
    emptyPast: "The trash was empty at that time",
    none: "No document in the trash has these words in its title.",
    untitled: "Untitled",
    by: "Put here by",
    from: (folder: string) => `from “${folder}”`,
    restore: "Restore",
    restored: (count: number) => `${docs(count)} restored to where they were`,
    restoredTo: (folder: string) => `Restored to “${folder}”`,
    openIt: "Open it",
    erase: "Delete for ever…",
    eraseTitle: (count: number) =>
      count === 1 ? "Delete this document for ever" : `Delete ${docs(count)} for ever`,
    eraseWhat: (versions: string, comments: number, images: number) =>
      `This erases ${versions}, ${plural(comments, "comment", "comments")} and ` +
      `${plural(images, "image", "images")}, together with all shares.`,
    versions: (count: number, isMore: boolean) =>
      isMore ? `more than ${number(count)} versions` : plural(count, "version", "versions"),
    eraseBranches:
      "It goes from every branch, also from those where it is not in the trash, from all history " +
      "and from the file itself. There is no way back; backups made earlier keep what they have.",
    erasePublished: (count: number) =>
      `${plural(count, "public page", "public pages")} will disappear too.`,
    eraseType: (word: string) => `Type ${word} to confirm`,
    eraseWord: "delete",
    eraseNow: "Delete for ever",
    erased: (count: number) => `${docs(count)} deleted for ever`,
    erasedPartly:
      "Old copies may remain for a while: in a file until `strata compact`, in PostgreSQL until its vacuum has run.",
    selected: (count: number) => `${number(count)} selected`,
    selection: "What to do with the selection",
    select: (title: string) => `Select ${title}`,
    selectKey: "Select",
    extendKey: "Select to here",
    clear: "Clear the selection",
    most: (count: number) => `At most ${number(count)} documents can be selected at once.`,
    next: "Next document",
    previous: "Previous document",
  },
  {
    title: "휴지통",
    count: (count) => `문서 ${number(count)}개`,
    note: "여기 있는 문서는 검색되지 않고 어디에도 보이지 않습니다. 영구 삭제하기 전에는 아무것도 사라지지 않습니다.",
    filter: "제목으로 거르기",
    list: "휴지통의 문서",
    empty: "휴지통이 비어 있습니다",
    emptyHint: "문서 목록에서 “휴지통으로 이동”을 누르면 여기로 오고, 언제든 복원할 수 있습니다.",
    emptyPast: "그 시점에는 휴지통이 비어 있었습니다",
    none: "제목에 이 단어가 들어간 문서가 휴지통에 없습니다.",
    untitled: "제목 없음",
    by: "버린 사람",
    from: (folder) => `“${folder}”에서`,
    restore: "복원",
    restored: (count) => `문서 ${number(count)}개를 원래 위치로 복원했습니다`,
    restoredTo: (folder) => `“${folder}”(으)로 복원했습니다`,
    openIt: "열기",
    erase: "영구 삭제…",
    eraseTitle: (count) => `문서 ${number(count)}개를 영구 삭제`,
    eraseWhat: (versions, comments, images) =>
      `${versions}, 댓글 ${number(comments)}개, 이미지 ${number(images)}개와 모든 공유를 지웁니다.`,
    versions: (count, isMore) =>
      isMore ? `버전 ${number(count)}개 이상` : `버전 ${number(count)}개`,
    eraseBranches:
      "휴지통에 넣지 않은 브랜치까지 포함해 모든 브랜치와 모든 기록, 파일에서 지워집니다. " +
      "되돌릴 수 없으며, 이전에 만든 백업에는 그대로 남습니다.",
    erasePublished: (count) => `공개 페이지 ${number(count)}개도 사라집니다.`,
    eraseType: (word) => `확인하려면 “${word}”를 입력하세요`,
    eraseWord: "삭제",
    eraseNow: "영구 삭제",
    erased: (count) => `문서 ${number(count)}개를 영구 삭제했습니다`,
    erasedPartly:
      "옛 내용이 한동안 남을 수 있습니다. 파일에서는 `strata compact`가, PostgreSQL에서는 vacuum이 지웁니다.",
    selected: (count) => `${number(count)}개 선택됨`,
    selection: "선택한 문서로 할 일",
    select: (title) => `${title} 선택`,
    selectKey: "선택",
    extendKey: "여기까지 선택",
    clear: "선택 해제",
    most: (count) => `한 번에 ${number(count)}개까지 선택할 수 있습니다.`,
    next: "다음 문서",
    previous: "이전 문서",
  },
);
