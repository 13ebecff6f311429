import { catalogue } from "../app/words";

export const liveWords = catalogue(
  {
    unsaved: "Your last edits are not saved yet. Try again when they are.",
    notTaken: "The server did not take your last edits.",
    tooLarge: "Your last edit is too large to be sent at once.",
    kept: "The document was opened again. Your text is kept here; put in again what is missing.",
  },
  {
    unsaved: "마지막 편집이 아직 저장되지 않았습니다. 저장된 뒤에 다시 시도하세요.",
    notTaken: "서버가 마지막 편집을 받지 않았습니다.",
    tooLarge: "마지막 편집이 너무 커서 한 번에 보낼 수 없습니다.",
    kept: "문서를 다시 열었습니다. 내 글은 여기에 보관되어 있으니 빠진 것을 다시 넣으세요.",
  },
);
