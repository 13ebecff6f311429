"""The page that shows a section to a person, in clients that open such pages (MCP Apps).

It is one static file: no script, font or picture from elsewhere, and nothing of a document is
ever taken for markup. The client hands it the tool's answer.
"""

from typing import NamedTuple

# How clients recognise such a page.
MEDIA_TYPE = "text/html;profile=mcp-app"
SECTION_VIEW = "ui://strata/section"


class AnswerPage(NamedTuple):
    """A page that shows an answer to a person."""

    title: str
    html: str


_SECTION = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Section</title>
<style>
  :root { color-scheme: light dark; font: 15px/1.55 system-ui, sans-serif; }
  body { margin: 0; padding: 1rem 1.25rem; }
  nav { opacity: .7; font-size: .85em; }
  pre { font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; margin: .75rem 0 0; }
</style>
<nav id="path" dir="auto"></nav>
<pre id="text" dir="auto">…</pre>
<script>
  const host = window.parent;
  const send = (message) => host.postMessage({ jsonrpc: "2.0", ...message }, "*");
  const put = (id, text) => { document.getElementById(id).textContent = text; };
  const told = (result) => {
    if (result.structuredContent) return result.structuredContent;
    try { return JSON.parse(result.content[0].text); } catch { return {}; }
  };
  const show = (result) => {
    const found = told(result);
    put("path", [found.title, ...(found.headingPath || [])].filter(Boolean).join(" › "));
    put("text", found.content ?? found.message ?? "");
    const { scrollWidth: width, scrollHeight: height } = document.documentElement;
    send({ method: "ui/notifications/size-changed", params: { width, height } });
  };
  window.addEventListener("message", (event) => {
    const message = event.data;
    if (event.source !== host || !message || message.jsonrpc !== "2.0") return;
    if (message.id === 1 && message.result) send({ method: "ui/notifications/initialized" });
    if (message.method === "ui/notifications/tool-result") show(message.params || {});
    if (message.method === "ui/resource-teardown") send({ id: message.id, result: {} });
  });
  send({ id: 1, method: "ui/initialize", params: {
    protocolVersion: "2026-01-26", appCapabilities: {},
    appInfo: { name: "strata-section", version: "1" },
  } });
</script>
</html>
"""

PAGES = {SECTION_VIEW: AnswerPage("Section of a document", _SECTION)}
