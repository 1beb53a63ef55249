/** Opaque cursors: where a page ended, as base64url of a JSON list of strings. They come back from outside: untrusted. */
import * as z from "zod";
import { UserError } from "../errors.ts";

const Position = z.array(z.string());

export function toCursor(position: string[]): string {
  const bytes = new TextEncoder().encode(JSON.stringify(position));
  const base64 = btoa(String.fromCharCode(...bytes));
  return base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The position, which must have so many parts. */
export function fromCursor(cursor: string, parts: number): string[] {
  const position = Position.length(parts).safeParse(decoded(cursor));
  if (position.success) return position.data;
  throw badCursor();
}

export const badCursor = (): UserError =>
  new UserError("This cursor is not one that a previous page gave.", {
    exitCode: 2,
    remedy: "Start again without a cursor.",
  });

function decoded(cursor: string): unknown {
  try {
    const latin1 = atob(cursor.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(latin1, (character) => character.charCodeAt(0));
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
