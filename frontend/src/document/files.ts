/** Pictures and files of documents: fetched from the server, and sent to it. */
import { call, refusedBy } from "../api/tools";
import { typeOf } from "../editor/uploads-types";

/** Returns an address under which the page can show a picture. */
export async function pictureOf(documentId: string, imageId: string): Promise<string> {
  const answer = (await call("get_image", { documentId, imageId })) as { data?: string };
  return `data:image/png;base64,${answer.data ?? ""}`;
}

/** Keeps a picture or a file with a document, and returns the markdown that shows it. */
export async function sendFile(documentId: string, file: File): Promise<string> {
  return (await send(file, { documentId })).markdown ?? "";
}

/** Makes a document of a file, which is kept with it, and returns its id. */
export async function uploadDocument(file: File, folderId: string | null): Promise<string> {
  return (await send(file, folderId ? { folderId } : {})).documentId ?? "";
}

async function send(file: File, where: { documentId: string } | { folderId?: string }) {
  const contentType = typeOf(file);
  // Of a text the name is the title; of another file it tells what kind it is.
  const title = contentType.startsWith("text/") ? file.name.replace(/\.\w+$/u, "") : file.name;
  const about = { contentType, contentLength: file.size, title };
  const ready = await call("edit_document", { action: "presignUpload", ...where, ...about });
  const to = new URL(ready.uploadUrl ?? "", location.href);
  const headers = ready.requiredHeaders as Record<string, string>;
  const sent = await fetch(to, { method: "PUT", headers, body: file });
  if (!sent.ok) throw await refusedBy(sent);
  const uploadId = ready.uploadId ?? "";
  return call("edit_document", { action: "finalizeUpload", uploadId });
}
