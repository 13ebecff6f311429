/** The user's own name, how the page looks to them, and where they are signed in. */
import { LogOut } from "lucide";
import { useState } from "preact/hooks";
import { call } from "../../api/tools";
import { useAnswer } from "../../app/answers";
import { time } from "../../app/location";
import { learnWhoIAm, me } from "../../app/me";
import { language, theme, type Language, type Theme } from "../../app/settings";
import { Button } from "../../parts/button";
import { Choice, Field } from "../../parts/field";
import { Head } from "../../parts/head";
import { tell, tellError } from "../../parts/notices";
import { Shown } from "../../parts/state";
import { When } from "../../parts/time";
import { settingsWords } from "./words";

const LANGUAGES: { value: Language; label: string }[] = [
  { value: "en", label: "English" },
  { value: "ko", label: "한국어" },
];

export default function MePart() {
  const words = settingsWords();
  const themes: { value: Theme; label: string }[] = [
    { value: "system", label: words.mine.system },
    { value: "light", label: words.mine.light },
    { value: "dark", label: words.mine.dark },
  ];
  return (
    <>
      <Head title={words.me} note={words.mine.note} />
      <Naming />
      <h2>{words.mine.look}</h2>
      <p class="quiet-text">{words.mine.lookNote}</p>
      <div class="settings-form">
        <div class="pair">
          <Choice
            label={words.mine.language}
            value={language.value}
            of={LANGUAGES}
            onChange={(value) => (language.value = value)}
          />
          <Choice
            label={words.mine.theme}
            value={theme.value}
            of={themes}
            onChange={(value) => (theme.value = value)}
          />
        </div>
      </div>
      <Browsers />
    </>
  );
}

function Naming() {
  const words = settingsWords();
  const who = me.value?.person;
  const [name, setName] = useState(who?.name ?? "");
  const [email, setEmail] = useState(who?.email ?? "");
  if (!who) return null;
  const isOwner = me.value?.isOwner ?? false;
  const isChanged = name.trim() !== who.name || email.trim() !== (who.email ?? "");
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    try {
      const mail = isOwner && email.trim() !== who.email ? { email: email.trim() } : {};
      await call("page_rename_person", { personId: who.id, name: name.trim(), ...mail });
      await learnWhoIAm();
      tell(words.saved);
    } catch (error) {
      tellError(error);
    }
  };
  return (
    <form class="settings-form" onSubmit={(event) => void save(event)}>
      <Field label={words.name} value={name} onInput={setName} required maxLength={200} />
      {isOwner ? (
        <Field label={words.email} value={email} onInput={setEmail} required maxLength={254} />
      ) : (
        <div class="field">
          <span class="field-hint">{words.email}</span>
          <p>{who.email}</p>
          <p class="field-hint">{words.mine.emailHint}</p>
        </div>
      )}
      {time.value === null && (
        <div class="actions">
          <Button kind="primary" submits disabled={!isChanged || !name.trim()}>
            {words.save}
          </Button>
        </div>
      )}
    </form>
  );
}

function Browsers() {
  const words = settingsWords();
  const answer = useAnswer(
    () => call("page_browsers", {}),
    [],
    () => false,
  );
  const signOut = async (browserId: string, isThis: boolean): Promise<void> => {
    try {
      await call("page_close_browser", { browserId });
      if (isThis) return location.reload();
      tell(words.mine.signedOut(1));
      answer.reload();
    } catch (error) {
      tellError(error);
    }
  };
  const signOutOthers = async (): Promise<void> => {
    try {
      const personId = me.peek()?.person.id ?? "";
      tell(words.mine.signedOut((await call("page_close_browsers", { personId })).browsers));
      answer.reload();
    } catch (error) {
      tellError(error);
    }
  };
  return (
    <Shown answer={answer}>
      {({ browsers }) =>
        browsers.length > 0 && (
          <>
            <h2>{words.mine.browsers}</h2>
            <p class="quiet-text">{words.mine.browsersNote}</p>
            <ul class="card-list" aria-label={words.mine.browsers}>
              {browsers.map((one) => (
                <li key={one.id} class="line">
                  <p class="line-main">
                    <strong>{one.label}</strong>
                    {one.isThis && <span class="tag">{words.mine.here}</span>}
                    {one.token && <span class="tag">{words.mine.byToken(one.token)}</span>}
                    <span class="quiet-text">
                      <When at={one.lastUsed} />
                    </span>
                  </p>
                  {time.value === null && (
                    <Button
                      small
                      icon={LogOut}
                      label={words.mine.signOutOf(one.label)}
                      onClick={() => void signOut(one.id, one.isThis)}
                    >
                      {words.mine.signOut}
                    </Button>
                  )}
                </li>
              ))}
            </ul>
            {time.value === null && browsers.length > 1 && (
              <p class="actions actions-below">
                <Button icon={LogOut} onClick={() => void signOutOthers()}>
                  {words.mine.signOutOthers}
                </Button>
              </p>
            )}
          </>
        )
      }
    </Shown>
  );
}
