import { catalogue } from "../../app/words";

export const helloWords = catalogue(
  {
    title: "Welcome to Strata",
    opening: "Signing you in…",
    refused: "This link does not work any more.",
    refusedHint:
      "A link signs in once, within ten minutes. Start the server again for a new one, or run: strata user login",
    signIn: "Sign in another way",
  },
  {
    title: "Strata에 오신 것을 환영합니다",
    opening: "로그인하는 중…",
    refused: "이 링크는 더 이상 쓸 수 없습니다.",
    refusedHint:
      "링크는 10분 안에 한 번만 쓸 수 있습니다. 서버를 다시 시작하거나 strata user login 을 실행하세요.",
    signIn: "다른 방법으로 로그인",
  },
);
