/** The app: the frame, and in it the screen that the address names. */
import type { ComponentType } from "preact";
import { Component } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { Failed, Empty, Skeleton } from "../parts/state";
import { Frame } from "./frame";
import { frameWords } from "./frame-words";
import { address, link } from "./location";
import { BARE, match, type Params, type Route, type ScreenProps } from "./routes";

interface Shown {
  route: Route;
  screen: ComponentType<ScreenProps>;
}

/** Screens whose code is here: they are shown in the same turn in which they are asked for. */
const loaded = new Map<Route, Shown>();

/** Loads the screen of a route; the page begins with this, before it draws its frame. */
export async function loadScreen(route: Route): Promise<Shown> {
  const shown = { route, screen: (await route.load()).default };
  loaded.set(route, shown);
  return shown;
}

export function App() {
  const { pathname } = address.value;
  const found = match(pathname);
  const [before, show] = useState<Shown | null>(null);
  const [hasFailed, setFailed] = useState(false);
  const shown = (found && loaded.get(found.route)) ?? before;
  useLayoutEffect(() => {
    if (!found) return;
    let isWanted = true;
    loadScreen(found.route).then(
      (screen) => isWanted && (setFailed(false), show(screen)),
      (error: unknown) => {
        console.error(error);
        if (isWanted) setFailed(true);
      },
    );
    return () => void (isWanted = false);
  }, [found?.route]);
  if (found && BARE.includes(found.route.pattern) && shown?.route === found.route) {
    return (
      <>
        <header class="brand">
          <img src="/favicon.svg" alt="" width="20" height="20" />
          Strata
        </header>
        <shown.screen params={found.params} />
      </>
    );
  }
  return (
    <Frame>
      {!found ? (
        <Missing />
      ) : hasFailed ? (
        <Failed
          message={frameWords().notLoaded}
          hint={frameWords().notLoadedHint}
          retry={() => location.reload()}
        />
      ) : shown ? (
        // The screen before stays until the next one is loaded.
        <Guarded key={shown.route.pattern} shown={shown} params={paramsOf(shown.route, pathname)} />
      ) : (
        <Skeleton />
      )}
    </Frame>
  );
}

function paramsOf(route: Route, path: string): Params {
  return match(path, [route])?.params ?? {};
}

function Missing() {
  const words = frameWords();
  return (
    <Empty title={words.notFound}>
      <p>{words.notFoundHint}</p>
      <a class="button primary" href={link("/")}>
        {words.toInbox}
      </a>
    </Empty>
  );
}

/** A screen that throws shows an error instead of a blank page; the frame goes on working. */
class Guarded extends Component<{ shown: Shown; params: Params }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };
  private last: Params = {};

  static override getDerivedStateFromError(error: Error): { error: Error } {
    return { error };
  }

  override componentDidUpdate(): void {
    if (this.state.error && this.props.params !== this.last) this.setState({ error: null });
    this.last = this.props.params;
  }

  override render() {
    const { error } = this.state;
    const { shown, params } = this.props;
    if (error) {
      console.error(error);
      const again = (): void => location.reload();
      return <Failed message={frameWords().crashed} hint={error.message} retry={again} />;
    }
    if (Object.keys(params).length === 0 && shown.route.pattern.includes(":")) return <Skeleton />;
    return <shown.screen params={params} />;
  }
}
