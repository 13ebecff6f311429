import { expect, test } from "vitest";
import * as wire from "./wire";

test("a sync message is read as it was written", () => {
  const payload = Uint8Array.of(1, 2, 250);
  const message = wire.decode(wire.syncMessage(wire.Step.update, payload));
  expect(message).toEqual({ type: "sync", step: wire.Step.update, payload });
});

test("the bytes are those of y-websocket", () => {
  expect([...wire.syncMessage(wire.Step.state, Uint8Array.of(0))]).toEqual([0, 0, 1, 0]);
  expect([...wire.awarenessMessage(Uint8Array.of(7))]).toEqual([1, 1, 7]);
  expect([...wire.queryAwarenessMessage()]).toEqual([3]);
});

test("a notice holds JSON in any script", () => {
  const notice = { kind: "refused", code: "x", message: "저장되지 않았다 🙈" } as const;
  expect(wire.decode(wire.noticeMessage(notice))).toEqual({ type: "notice", notice });
});

test("a message of an unknown kind is passed over", () => {
  expect(wire.decode(Uint8Array.of(99, 1, 2))).toBeNull();
});
