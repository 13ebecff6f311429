/** One document: its text, who is here, and what is said about it. */
import "../../styles/document.css";
import "../../styles/editor.css";
import "../../styles/review.css";
import { branch, time } from "../../app/location";
import type { ScreenProps } from "../../app/routes";
import { DocumentPage } from "../../document/page";
import { late } from "../../parts/late";
import { Skeleton } from "../../parts/state";

const PastDocument = late(
  () => import("../../document/past").then((part) => part.PastDocument),
  <Skeleton />,
);

export default function DocumentScreen({ params }: ScreenProps) {
  const id = params["id"] ?? "";
  if (time.value !== null) return <PastDocument id={id} at={time.value} />;
  return <DocumentPage key={`${id} ${branch.value}`} id={id} branch={branch.value} />;
}
