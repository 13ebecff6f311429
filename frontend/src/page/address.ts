/** What the address of a page says: which document, on which branch. */
export interface Address {
  document: string | null;
  branch: string | null;
}

export function readAddress(location: { pathname: string; search: string }): Address {
  const [, first, second] = location.pathname.split("/");
  const document = first === "d" && second ? decodeURIComponent(second) : null;
  return { document, branch: new URLSearchParams(location.search).get("branch") };
}

/** The path of a document's page. */
export function documentPath(document: string, branch: string | null = null): string {
  return `/d/${encodeURIComponent(document)}${branchQuery(branch)}`;
}

/** Where a document's live room listens. */
export function livePath(document: string, branch: string | null): string {
  return `/live/${encodeURIComponent(document)}${branchQuery(branch)}`;
}

function branchQuery(branch: string | null): string {
  return branch ? `?branch=${encodeURIComponent(branch)}` : "";
}
