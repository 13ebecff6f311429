/** The types of files that can be kept with a document. */
const PICTURES = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/svg+xml"];
const BY_ENDING: Record<string, string> = {
  pdf: "application/pdf",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  md: "text/markdown",
  txt: "text/plain",
};
const KEPT = new Set([...PICTURES, BY_ENDING["pdf"], BY_ENDING["docx"]]);

/** What a dialog for files offers: all that can be kept with a document. */
export const KEPT_ENDINGS = ".pdf,.docx,.png,.jpg,.jpeg,.gif,.webp,.svg";

/** The type of a file; not every system knows that of a Word document. */
export function typeOf(file: File): string {
  const ending = file.name.split(".").pop()?.toLowerCase() ?? "";
  return BY_ENDING[ending] ?? file.type;
}

export function isKept(file: File): boolean {
  return KEPT.has(typeOf(file));
}
