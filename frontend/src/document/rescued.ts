/** Hands back the text whose last edits the server refused. */
import { tellOf } from "../api/refusals";
import { catalogue } from "../app/words";
import type { Rescue } from "../live/session";
import { Closed } from "../live/wire";
import { tell } from "../parts/notices";

const rescueWords = catalogue(
  {
    notTaken: "The server did not take your last edits.",
    tooLarge: "Your last edit is too large to be sent at once.",
    kept: "The document was opened again. Your text is kept here; put in again what is missing.",
  },
  {
    notTaken: "서버가 마지막 편집을 받지 않았습니다.",
    tooLarge: "마지막 편집이 너무 커서 한 번에 보낼 수 없습니다.",
    kept: "문서를 다시 열었습니다. 내 글은 여기에 보관되어 있으니 빠진 것을 다시 넣으세요.",
  },
);

export function handBack({ text, told, code }: Rescue): void {
  const { notTaken, tooLarge, kept } = rescueWords();
  const own = code === Closed.tooLarge ? tooLarge : notTaken;
  const { message, hint, said } = told
    ? tellOf({ ...told })
    : { message: own, hint: kept, said: "" };
  tell(message, { kind: "error", hint, said, text });
}
