/** Leaving the page: to sign in and come back, or with edits that are not saved yet. */
export function signInPath(from: { pathname: string; search: string }): string {
  return `/sign-in?next=${encodeURIComponent(from.pathname + from.search)}`;
}

/** Lets the browser ask before a page is left that holds unsaved edits; the result ends that. */
export function warnBeforeLeaving(hasUnsaved: () => boolean): () => void {
  const warn = (event: BeforeUnloadEvent): void => {
    if (hasUnsaved()) event.preventDefault();
  };
  addEventListener("beforeunload", warn);
  return () => removeEventListener("beforeunload", warn);
}
