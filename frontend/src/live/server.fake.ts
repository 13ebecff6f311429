/** A server for tests: sockets that it holds in its hand, and a replica of its own. */
import * as Y from "yjs";
import * as wire from "./wire";

export class FakeSocket {
  binaryType = "";
  readyState = 0;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: ArrayBuffer }) => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;
  readonly sent: wire.Message[] = [];

  constructor(readonly url: string) {}

  send(data: Uint8Array): void {
    const message = wire.decode(data);
    if (message) this.sent.push(message);
  }

  close(code = 1005): void {
    this.readyState = 3;
    this.onclose?.({ code, reason: "" });
  }

  accept(): void {
    this.readyState = 1;
    this.onopen?.();
  }

  say(data: Uint8Array<ArrayBuffer>): void {
    this.onmessage?.({ data: data.slice().buffer });
  }

  notice(notice: wire.Notice): void {
    this.say(wire.noticeMessage(notice));
  }

  /** The updates that arrived since the test last looked. */
  updates(): Uint8Array[] {
    const found = this.sent.filter((one) => one.type === "sync" && one.step !== wire.Step.state);
    this.sent.length = 0;
    return found.map((one) => (one as { payload: Uint8Array }).payload);
  }
}

export class FakeServer {
  readonly doc = new Y.Doc();
  readonly sockets: FakeSocket[] = [];
  readonly connect = (url: string): WebSocket => {
    const socket = new FakeSocket(url);
    this.sockets.push(socket);
    return socket as unknown as WebSocket;
  };

  constructor(text = "") {
    this.doc.getText("content").insert(0, text);
  }

  get socket(): FakeSocket {
    return this.sockets.at(-1)!;
  }

  get text(): string {
    return this.doc.getText("content").toString();
  }

  /** Lets the newest socket in and brings it up to date, as the real one does. */
  welcome(role: wire.Welcome["role"] = "editor"): void {
    const { socket, doc } = this;
    socket.accept();
    const person = { id: "user_1", name: "소연" };
    socket.notice({ kind: "welcome", role, branch: "default", person, colour: "#336699" });
    socket.say(wire.syncMessage(wire.Step.missing, Y.encodeStateAsUpdate(doc)));
    if (role !== "viewer") this.ask();
  }

  ask(): void {
    this.socket.say(wire.syncMessage(wire.Step.state, Y.encodeStateVector(this.doc)));
  }

  /** Keeps what has arrived, and says so for each message. */
  keep(): number {
    const updates = this.socket.updates().filter((update) => update.length > 2);
    for (const update of updates) {
      Y.applyUpdate(this.doc, update);
      this.socket.notice({ kind: "saved", version: 1, clocks: {} });
    }
    return updates.length;
  }
}
