/** Pictures of a document: fetched from the server, and sent to it. */
import { call } from "../api/tools";

/** Returns an address under which the page can show a picture. */
export async function pictureOf(documentId: string, imageId: string): Promise<string> {
  const answer = (await call("get_image", { documentId, imageId })) as { data?: string };
  return `data:image/png;base64,${answer.data ?? ""}`;
}

/** Keeps a picture with a document, and returns the markdown that shows it. */
export async function sendPicture(documentId: string, file: File): Promise<string> {
  const about = { contentType: file.type, contentLength: file.size, title: file.name };
  const ready = await call("edit_document", { action: "presignUpload", documentId, ...about });
  const to = new URL(ready.uploadUrl ?? "", location.href);
  const headers = ready.requiredHeaders as Record<string, string>;
  const sent = await fetch(to, { method: "PUT", headers, body: file });
  if (!sent.ok) throw new Error(await sent.text());
  const uploadId = ready.uploadId ?? "";
  const kept = await call("edit_document", { action: "finalizeUpload", uploadId });
  return kept.markdown ?? "";
}
