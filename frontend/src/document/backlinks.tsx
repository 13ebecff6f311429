/** The documents that link to this one, below its text. */
import { FileText } from "lucide";
import { call } from "../api/tools";
import { useAnswer } from "../app/answers";
import { link } from "../app/location";
import { Icon } from "../parts/icon";
import { documentWords } from "./words";

const QUIET_MS = 1000;

export function Backlinks({ id }: { id: string }) {
  const words = documentWords();
  const answer = useAnswer(
    () => call("get_document_graph", { documentId: id, depth: 1, maxNodes: 100 }),
    [id],
    // What is typed in this document changes no link that leads to it.
    (change) => change.more || change.keys.some((one) => one.kind === "document" && one.id !== id),
    { quietMs: QUIET_MS },
  );
  const found = answer.value;
  if (!found) return null;
  const from = new Set(
    found.edges
      .filter((edge) => edge.target === id && edge.type !== "semantic")
      .map((one) => one.source),
  );
  const shown = found.nodes.filter((node) => from.has(node.id));
  if (shown.length === 0) return null;
  return (
    <section class="backlinks" aria-label={words.backlinks}>
      <h2>{words.backlinks}</h2>
      <ul>
        {shown.map((node) => (
          <li key={node.id}>
            <a href={link(`/d/${encodeURIComponent(node.id)}`)}>
              <Icon of={FileText} />
              {node.title || words.untitled}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
