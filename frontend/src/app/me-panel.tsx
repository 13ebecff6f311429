/** What the menu behind one's initials holds: who one is, how the app looks, and signing out. */
import { Keyboard, LogOut } from "lucide";
import { Choice } from "../parts/field";
import { Actions } from "../parts/menu";
import { frameWords } from "./frame-words";
import { me } from "./me";
import { language, theme, type Language, type Theme } from "./settings";
import { catalogue } from "./words";

const panelWords = catalogue(
  {
    theme: "Theme",
    system: "As the system",
    light: "Light",
    dark: "Dark",
    language: "Language",
    signOut: "Sign out",
  },
  {
    theme: "테마",
    system: "시스템 설정",
    light: "밝게",
    dark: "어둡게",
    language: "언어",
    signOut: "로그아웃",
  },
);

const LANGUAGES: { value: Language; label: string }[] = [
  { value: "en", label: "English" },
  { value: "ko", label: "한국어" },
];

export function MePanel({ showKeys, close }: { showKeys: () => void; close: () => void }) {
  const words = panelWords();
  const who = me.value;
  if (!who) return null;
  const themes: { value: Theme; label: string }[] = [
    { value: "system", label: words.system },
    { value: "light", label: words.light },
    { value: "dark", label: words.dark },
  ];
  return (
    <div class="me-menu">
      <p class="me-name">
        <strong>{who.person.name}</strong>
        {who.person.email && <span>{who.person.email}</span>}
      </p>
      <Choice
        label={words.theme}
        value={theme.value}
        of={themes}
        onChange={(value) => (theme.value = value)}
      />
      <Choice
        label={words.language}
        value={language.value}
        of={LANGUAGES}
        onChange={(value) => (language.value = value)}
      />
      <Actions
        close={close}
        of={[
          { label: frameWords().keys, icon: Keyboard, act: showKeys },
          { label: words.signOut, icon: LogOut, act: signOut },
        ]}
      />
    </div>
  );
}

/** Signs out as a form does: the answer leads to where one signs in. */
function signOut(): void {
  const form = document.createElement("form");
  form.method = "post";
  form.action = "/sign-out";
  document.body.append(form);
  form.submit();
}
