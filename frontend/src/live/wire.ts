/** The messages of a live room: those of y-websocket, and one of our own that holds JSON. */
import * as decoding from "lib0/decoding";
import * as encoding from "lib0/encoding";
import type { Role } from "../api/types";

const SYNC = 0;
const AWARENESS = 1;
const DENIED = 2;
const QUERY_AWARENESS = 3;
const NOTICE = 100;

/** Of a sync message: what I know, what you lack, and what is new. */
export const Step = { state: 0, missing: 1, update: 2 } as const;
export type Step = (typeof Step)[keyof typeof Step];

/** Why a server closes a socket for good. */
export const Closed = {
  tooLarge: 1009,
  signedOut: 4401,
  noRights: 4403,
  notFound: 4404,
  foreignClient: 4409,
} as const;

export interface Present {
  person: string;
  name: string;
  via?: string | null;
  entityType: "person" | "agent";
  status: "viewing" | "editing" | "idle";
  section?: string | null;
  colour?: string;
}

export interface Author {
  person: string;
  name: string;
  via?: string | null;
}

export interface Welcome {
  kind: "welcome";
  role: Role;
  branch: string;
  person: { id: string; name: string };
  colour: string;
}

export interface Refusal {
  kind: "refused";
  code: string;
  message: string;
  hint?: string;
}

export type Notice =
  | Welcome
  | Refusal
  | { kind: "saved"; version: number; clocks: Record<string, number> }
  | { kind: "changed"; what: string[] }
  | { kind: "presence"; people: Present[] }
  | { kind: "authors"; clients: Record<string, Author> };

export type Message =
  | { type: "sync"; step: Step; payload: Uint8Array }
  | { type: "awareness"; update: Uint8Array }
  | { type: "queryAwareness" }
  | { type: "denied"; reason: string }
  | { type: "notice"; notice: Notice };

/** Reads a message; null for one of a kind that this page does not know. */
export function decode(data: Uint8Array): Message | null {
  const decoder = decoding.createDecoder(data);
  switch (decoding.readVarUint(decoder)) {
    case SYNC: {
      const step = decoding.readVarUint(decoder) as Step;
      return { type: "sync", step, payload: decoding.readVarUint8Array(decoder) };
    }
    case AWARENESS:
      return { type: "awareness", update: decoding.readVarUint8Array(decoder) };
    case DENIED:
      decoding.readVarUint(decoder);
      return { type: "denied", reason: decoding.readVarString(decoder) };
    case QUERY_AWARENESS:
      return { type: "queryAwareness" };
    case NOTICE:
      return { type: "notice", notice: JSON.parse(decoding.readVarString(decoder)) as Notice };
    default:
      return null;
  }
}

export function syncMessage(step: Step, payload: Uint8Array): Uint8Array<ArrayBuffer> {
  return written((encoder) => {
    encoding.writeVarUint(encoder, SYNC);
    encoding.writeVarUint(encoder, step);
    encoding.writeVarUint8Array(encoder, payload);
  });
}

export function awarenessMessage(update: Uint8Array): Uint8Array<ArrayBuffer> {
  return written((encoder) => {
    encoding.writeVarUint(encoder, AWARENESS);
    encoding.writeVarUint8Array(encoder, update);
  });
}

export function queryAwarenessMessage(): Uint8Array<ArrayBuffer> {
  return written((encoder) => encoding.writeVarUint(encoder, QUERY_AWARENESS));
}

/** What a server sends; here so that tests speak for one. */
export function noticeMessage(notice: Notice): Uint8Array<ArrayBuffer> {
  return written((encoder) => {
    encoding.writeVarUint(encoder, NOTICE);
    encoding.writeVarString(encoder, JSON.stringify(notice));
  });
}

function written(write: (encoder: encoding.Encoder) => void): Uint8Array<ArrayBuffer> {
  const encoder = encoding.createEncoder();
  write(encoder);
  return encoding.toUint8Array(encoder) as Uint8Array<ArrayBuffer>;
}
