/** What a screen asks the server: asked again when the question or the store changes. */
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { asToolError, type ToolError } from "../api/tools";
import { changes, type Change } from "./feed";
import { branch, time } from "./location";
import { me } from "./me";

export interface Answer<T> {
  /** The newest answer, also while the next one is on its way. */
  value: T | undefined;
  error: ToolError | null;
  isLoading: boolean;
  /** Asks again. */
  reload: () => void;
}

const QUIET_MS = 150;

export interface Listening {
  /** How long it has to be quiet before the server is asked again. */
  quietMs?: number;
  /** Whether changes of other branches are heard of too. */
  anyBranch?: boolean;
}

/**
 * Asks when the component is first shown, when `question`, the branch or the time changes, and
 * when the feed tells of a change that matters, once it is quiet. Answers to earlier questions
 * are dropped.
 */
export function useAnswer<T>(
  ask: () => Promise<T>,
  question: readonly unknown[],
  matters: (change: Change) => boolean | undefined = () => true,
  { quietMs = QUIET_MS, anyBranch = false }: Listening = {},
): Answer<T> {
  const [state, setState] = useState<{ value?: T; error: ToolError | null; isLoading: boolean }>({
    error: null,
    isLoading: true,
  });
  const turn = useRef(0);
  const latest = useRef({ ask, matters });
  latest.current = { ask, matters };
  const reload = useCallback(() => {
    const mine = ++turn.current;
    setState((before) => ({ ...before, isLoading: true }));
    latest.current.ask().then(
      (value) => mine === turn.current && setState({ value, error: null, isLoading: false }),
      (error: unknown) =>
        mine === turn.current &&
        setState((before) => ({ ...before, error: asToolError(error), isLoading: false })),
    );
  }, []);
  const asked = JSON.stringify([question, branch.value, time.value]);
  // Not behind the next frame: the question would leave a frame later.
  useLayoutEffect(() => {
    // Another question: its answer has nothing to do with the one on the screen.
    setState({ error: null, isLoading: true });
    reload();
    return () => void turn.current++;
  }, [asked]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = changes.on((change) => {
      const isHere = anyBranch || change.branch === (branch.peek() ?? me.peek()?.branch);
      const isShown = change.refetch || change.access || (isHere && latest.current.matters(change));
      if (time.peek() !== null || !isShown) return;
      clearTimeout(timer);
      timer = setTimeout(reload, quietMs);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, []);
  return { value: state.value, error: state.error, isLoading: state.isLoading, reload };
}
