import { catalogue } from "../app/words";

export const peopleWords = catalogue(
  {
    here: "on this page",
    viewing: "viewing",
    editing: "editing",
    idle: "idle",
    user: "A user",
    agent: "agent",
    people: "People here",
    me: (name: string) => `${name} (you)`,
    more: (count: number) => `+${count}`,
  },
  {
    here: "이 페이지에 있음",
    viewing: "보는 중",
    editing: "편집 중",
    idle: "쉬는 중",
    user: "사용자",
    agent: "에이전트",
    people: "여기 있는 사람",
    me: (name) => `${name} (나)`,
    more: (count) => `+${count}`,
  },
);
