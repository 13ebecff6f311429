/** The frame around every screen: where to go, which branch and time, and how things are. */
import type { ComponentChildren } from "preact";
import { Ellipsis, Keyboard, LogOut, Search } from "lucide";
import { useState } from "preact/hooks";
import { Dialog } from "../parts/dialog";
import { Choice } from "../parts/field";
import { Icon } from "../parts/icon";
import { Actions, Float } from "../parts/menu";
import { Notices } from "../parts/notices";
import { initials } from "../people/names";
import { isOnline } from "./feed";
import { frameWords } from "./frame-words";
import { keys, useKeys } from "./keys";
import { address, go, link } from "./location";
import { me } from "./me";
import { destinations, type Destination } from "./navigation";
import { isPaletteOpen, Palette } from "./palette";
import { language, theme, type Language, type Theme } from "./settings";
import { BranchSwitch, PastBanner, TimeSwitch } from "./switches";

export function Frame({ children }: { children: ComponentChildren }) {
  const words = frameWords();
  const [areKeysShown, showKeys] = useState(false);
  const open = (): void => void (isPaletteOpen.value = true);
  useKeys([
    { keys: "/", label: words.keyFind, act: open },
    { keys: "?", label: words.keys, act: () => showKeys(true) },
    ...destinations().map((one) => ({
      keys: `g ${one.key}`,
      label: words.keyGo(words[one.word]),
      act: () => go(link(one.path)),
    })),
  ]);
  return (
    <div class="frame">
      <a class="skip" href="#content">
        {words.skip}
      </a>
      <header class="top">
        <a class="wordmark" href={link("/")}>
          Strata
        </a>
        <BranchSwitch />
        <TimeSwitch />
        <button type="button" class="find-button" onClick={open} aria-keyshortcuts="Control+K">
          <Icon of={Search} />
          <span>{words.find}</span>
          <kbd aria-hidden="true">{shortcut()}</kbd>
        </button>
        <MeMenu showKeys={() => showKeys(true)} />
      </header>
      <Navigation />
      <main id="content" class="content" tabIndex={-1}>
        {!isOnline.value && (
          <p class="banner offline" role="alert">
            {words.offline}
          </p>
        )}
        <PastBanner />
        {children}
      </main>
      <BottomBar />
      <Notices />
      {isPaletteOpen.value && <Palette />}
      {areKeysShown && <KeyList onClose={() => showKeys(false)} />}
    </div>
  );
}

function shortcut(): string {
  return /Mac|iPhone|iPad/u.test(navigator.platform) ? "⌘K" : "Ctrl K";
}

function isHere(one: Destination): boolean {
  const { pathname } = address.value;
  return one.path === "/" ? pathname === "/" : `${pathname}/`.startsWith(`${one.path}/`);
}

function NavigationLink({ to }: { to: Destination }) {
  return (
    <a href={link(to.path)} aria-current={isHere(to) ? "page" : undefined}>
      <Icon of={to.icon} />
      <span>{frameWords()[to.word]}</span>
    </a>
  );
}

function Navigation() {
  return (
    <nav class="side-nav" aria-label={frameWords().main}>
      {destinations().map((one) => (
        <NavigationLink key={one.path} to={one} />
      ))}
    </nav>
  );
}

/** On a phone: the first few below the thumb, the others behind "More". */
function BottomBar() {
  const all = destinations();
  const words = frameWords();
  const rest = all.filter((one) => !one.isFirst);
  return (
    <nav class="bottom-bar" aria-label={words.main}>
      {all
        .filter((one) => one.isFirst)
        .map((one) => (
          <NavigationLink key={one.path} to={one} />
        ))}
      {rest.length > 0 && (
        <Float
          class="bottom-more"
          align="end"
          face={
            <>
              <Icon of={Ellipsis} />
              <span>{words.more}</span>
            </>
          }
        >
          {(close) => (
            <Actions
              close={close}
              of={rest.map((one) => ({
                label: words[one.word],
                icon: one.icon,
                href: link(one.path),
              }))}
            />
          )}
        </Float>
      )}
    </nav>
  );
}

const LANGUAGES: { value: Language; label: string }[] = [
  { value: "en", label: "English" },
  { value: "ko", label: "한국어" },
];

function MeMenu({ showKeys }: { showKeys: () => void }) {
  const words = frameWords();
  const who = me.value;
  if (!who) return null;
  const themes: { value: Theme; label: string }[] = [
    { value: "system", label: words.system },
    { value: "light", label: words.light },
    { value: "dark", label: words.dark },
  ];
  return (
    <Float
      class="me"
      align="end"
      label={`${words.you}: ${who.person.name}`}
      title={who.person.name}
      face={<span aria-hidden="true">{initials(who.person.name)}</span>}
    >
      {(close) => (
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
              { label: words.keys, icon: Keyboard, act: showKeys },
              { label: words.signOut, icon: LogOut, act: signOut },
            ]}
          />
        </div>
      )}
    </Float>
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

function KeyList({ onClose }: { onClose: () => void }) {
  const words = frameWords();
  const all = [{ keys: shortcut(), label: words.keyFind }, ...keys.value];
  return (
    <Dialog title={words.keysTitle} onClose={onClose}>
      <dl class="key-list">
        {all.map((key) => (
          <div key={`${key.keys} ${key.label}`}>
            <dt>
              {key.keys.split(" ").map((one) => (
                <kbd key={one}>{one}</kbd>
              ))}
            </dt>
            <dd>{key.label}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
