import { catalogue } from "../../app/words";

export const joinWords = catalogue(
  {
    title: "Invitation",
    looking: "Looking at the link…",
    offerDocument: {
      viewer: (by: string, title: string) => `${by} invites you to read “${title}”.`,
      commenter: (by: string, title: string) => `${by} invites you to comment on “${title}”.`,
      editor: (by: string, title: string) => `${by} invites you to edit “${title}”.`,
    },
    offerTeam: (by: string, team: string) => `${by} invites you to the team “${team}”.`,
    untitled: "a document",
    asUser: (name: string) => `You join as ${name}.`,
    name: "Your name",
    nameHint: "Others see it beside what you write. You become a user of this server.",
    join: "Join",
    haveUser: "I have a user here: sign in",
    signInFirst: "Sign in to see what this link offers.",
    signIn: "Sign in",
    refused: "This link does not work.",
    refusedHint:
      "It is unknown, has ended, or was taken back. Ask for a new one where you have it from.",
    toInbox: "To the inbox",
  },
  {
    title: "초대",
    looking: "링크를 확인하는 중…",
    offerDocument: {
      viewer: (by, title) => `${by} 님이 “${title}” 문서를 함께 읽자고 초대했습니다.`,
      commenter: (by, title) => `${by} 님이 “${title}” 문서에 댓글을 달아 달라고 초대했습니다.`,
      editor: (by, title) => `${by} 님이 “${title}” 문서를 함께 편집하자고 초대했습니다.`,
    },
    offerTeam: (by, team) => `${by} 님이 “${team}” 팀에 초대했습니다.`,
    untitled: "문서",
    asUser: (name) => `${name}(으)로 참여합니다.`,
    name: "이름",
    nameHint: "쓴 글 옆에 다른 사람에게 보입니다. 이 서버의 사용자가 됩니다.",
    join: "참여하기",
    haveUser: "이미 사용자입니다: 로그인",
    signInFirst: "로그인하면 이 링크가 무엇인지 볼 수 있습니다.",
    signIn: "로그인",
    refused: "이 링크는 쓸 수 없습니다.",
    refusedHint: "알 수 없거나, 끝났거나, 거두어진 링크입니다. 받은 곳에 새 링크를 부탁하세요.",
    toInbox: "받은 편지함으로",
  },
);
