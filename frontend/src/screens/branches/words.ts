import { catalogue, number, plural } from "../../app/words";

export const branchWords = catalogue(
  {
    title: "Branches",
    note: "A branch is a copy that costs nothing: try something there, compare, then merge or delete.",
    fork: "New branch",
    forkOf: (branch: string) => `New branch from ${branch}`,
    name: "Name",
    create: "Create",
    list: "Branches",
    open: "Open",
    compare: "Compare",
    remove: "Delete",
    restore: "Bring back",
    actions: (branch: string) => `Actions for ${branch}`,
    ahead: (count: number, limit: number) =>
      count >= limit ? `${number(limit)}+ ahead` : `${number(count)} ahead`,
    behind: (count: number, limit: number) =>
      count >= limit ? `${number(limit)}+ behind` : `${number(count)} behind`,
    same: "nothing of its own",
    from: (branch: string) => `from ${branch}`,
    usual: "usual branch",
    current: "you are here",
    removed: (branch: string) => `${branch} was deleted. It can be brought back for 30 days.`,
    undo: "Undo",
    removeTitle: (branch: string) => `Delete ${branch}?`,
    removeUnmerged: (count: number) =>
      `${plural(count, "commit is", "commits are")} only on this branch. It can be brought back for 30 days.`,
    removeMerged: "Everything on it is merged. It can be brought back for 30 days.",
    deleted: "Deleted branches",
    showDeleted: "Show deleted branches",
    noDeleted: "No branch can be brought back.",
    alone: "There is one branch so far. “New branch” makes another; agents make theirs.",
    newest: (shown: number, all: number) =>
      `The ${number(shown)} changed last of ${number(all)}. Type a part of a name to find others.`,
    find: "Find a branch",
  },
  {
    title: "브랜치",
    note: "브랜치는 비용이 들지 않는 복사본입니다. 시험해 보고, 비교한 뒤 병합하거나 지우세요.",
    fork: "새 브랜치",
    forkOf: (branch) => `${branch}에서 새 브랜치`,
    name: "이름",
    create: "만들기",
    list: "브랜치",
    open: "열기",
    compare: "비교",
    remove: "삭제",
    restore: "되살리기",
    actions: (branch) => `${branch} 작업`,
    ahead: (count, limit) =>
      count >= limit ? `${number(limit)}+개 앞섬` : `${number(count)}개 앞섬`,
    behind: (count, limit) =>
      count >= limit ? `${number(limit)}+개 뒤짐` : `${number(count)}개 뒤짐`,
    same: "고유한 변경 없음",
    from: (branch) => `${branch}에서`,
    usual: "기본 브랜치",
    current: "현재 위치",
    removed: (branch) => `${branch} 브랜치를 삭제했습니다. 30일 동안 되살릴 수 있습니다.`,
    undo: "되돌리기",
    removeTitle: (branch) => `${branch} 브랜치를 삭제할까요?`,
    removeUnmerged: (count) =>
      `이 브랜치에만 있는 커밋이 ${number(count)}개입니다. 30일 동안 되살릴 수 있습니다.`,
    removeMerged: "모두 병합되어 있습니다. 30일 동안 되살릴 수 있습니다.",
    deleted: "삭제된 브랜치",
    showDeleted: "삭제된 브랜치 보기",
    noDeleted: "되살릴 수 있는 브랜치가 없습니다.",
    alone: "아직 브랜치가 하나뿐입니다. “새 브랜치”로 만들 수 있고, 에이전트도 만듭니다.",
    newest: (shown, all) =>
      `${number(all)}개 가운데 최근에 바뀐 ${number(shown)}개입니다. 다른 브랜치는 이름의 일부로 찾으세요.`,
    find: "브랜치 찾기",
  },
);
