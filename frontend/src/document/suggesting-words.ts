import { catalogue, number, plural } from "../app/words";

export const suggestingWords = catalogue(
  {
    suggestMode: "Suggest changes",
    suggestNote: "Change the text: it stays as it is, and what you change becomes suggestions.",
    suggestionsReady: (count: number) => plural(count, "change to suggest", "changes to suggest"),
    sendSuggestions: "Send",
    leaveSuggesting: "Stop suggesting",
    suggestionsSent: (count: number) => `${plural(count, "suggestion", "suggestions")} sent.`,
    suggestionsRefused: (count: number) =>
      `${plural(count, "change was", "changes were")} not kept as a suggestion. They are here:`,
    unsent: "Your suggestions were not sent. The text as you changed it is here:",
  },
  {
    suggestMode: "변경 제안하기",
    suggestNote: "글을 고쳐 보세요. 원래 글은 그대로 있고, 고친 부분이 제안이 됩니다.",
    suggestionsReady: (count) => `제안할 변경 ${number(count)}개`,
    sendSuggestions: "보내기",
    leaveSuggesting: "제안 그만하기",
    suggestionsSent: (count) => `제안 ${number(count)}개를 보냈습니다.`,
    suggestionsRefused: (count) =>
      `변경 ${number(count)}개를 제안으로 남기지 못했습니다. 내용은 다음과 같습니다:`,
    unsent: "제안을 보내지 않았습니다. 고친 글은 다음과 같습니다:",
  },
);
