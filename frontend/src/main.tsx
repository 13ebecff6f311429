/** Where the page begins. */
import { render } from "preact";
import "./styles/base.css";
import { App, loadScreen } from "./app/app";
import { openFeed } from "./app/feed";
import { listenForKeys } from "./app/keys";
import { branch, followLinks, time } from "./app/location";
import { learnWhoIAm } from "./app/me";
import { listenForPalette } from "./app/palette-key";
import { BARE, DOCUMENT, match } from "./app/routes";
import { applySettings } from "./app/settings";
import { liveUrl, openEarly } from "./live/early";

applySettings();
followLinks((path) => match(path) !== null);
listenForKeys();
listenForPalette();
// Behind a link that signs in or lets in, no user may be signed in yet: its screen does that.
if (!BARE.includes(location.pathname)) void learnWhoIAm().then(openFeed);
// On its way while the frame is drawn; the app tells of what goes wrong.
const first = match(location.pathname);
if (first?.route.pattern === DOCUMENT && time.value === null) {
  openEarly(liveUrl(location.origin, first.params["id"]!, branch.value));
}
if (first) loadScreen(first.route).catch(() => {});
render(<App />, document.getElementById("page")!);
