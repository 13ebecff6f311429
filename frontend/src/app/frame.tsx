/** The frame around every screen: where to go, which branch and time, and how things are. */
import type { ComponentChildren } from "preact";
import { Ellipsis, Search } from "lucide";
import { useState } from "preact/hooks";
import { Icon } from "../parts/icon";
import { late } from "../parts/late";
import { Actions, Float } from "../parts/menu";
import { Notices } from "../parts/notices";
import { initials } from "../people/names";
import { isOnline } from "./feed";
import { frameWords } from "./frame-words";
import { shortcut, useKeys } from "./keys";
import { address, go, link, time } from "./location";
import { me } from "./me";
import { destinations, type Destination } from "./navigation";
import { Palette } from "./palette";
import { isPaletteOpen } from "./palette-key";
import { BranchSwitch, PastBanner, TimeSwitch } from "./switches";
import { CountWaiting, Waiting } from "./waiting";

const KeyList = late(async () => (await import("./key-list")).KeyList);
const MePanel = late(async () => (await import("./me-panel")).MePanel);

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
      {(!isOnline.value || time.value !== null) && (
        <aside class="banners" aria-label={words.state}>
          {!isOnline.value && (
            <p class="banner offline" role="alert">
              {words.offline}
            </p>
          )}
          <PastBanner />
        </aside>
      )}
      <main id="content" class="content" tabIndex={-1}>
        {children}
      </main>
      <BottomBar />
      <Notices />
      <CountWaiting />
      {isPaletteOpen.value && <Palette />}
      {areKeysShown && <KeyList onClose={() => showKeys(false)} />}
    </div>
  );
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
      {to.word === "inbox" && <Waiting />}
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

function MeMenu({ showKeys }: { showKeys: () => void }) {
  const who = me.value;
  if (!who) return null;
  return (
    <Float
      class="me"
      align="end"
      label={`${frameWords().you}: ${who.person.name}`}
      title={who.person.name}
      face={<span aria-hidden="true">{initials(who.person.name)}</span>}
    >
      {(close) => <MePanel showKeys={showKeys} close={close} />}
    </Float>
  );
}
