/** Where the page begins: the list of documents, or one of them. */
import "./styles/page.css";
import { place } from "./page/elements";
import { readAddress } from "./page/address";

const address = readAddress(location);

if (address.document) {
  const { openDocument } = await import("./document/scene");
  openDocument(place("page"), address.document, address.branch);
} else {
  const { openList } = await import("./list/scene");
  openList(place("page"));
}
