/** An answer that arrives as a stream, put together into the body that the same server sends without one. Pure. */
import type { JsonObject } from "../loose-json.ts";
import type { ServerEvent } from "./event-reader.ts";

export interface Assembly {
  add(event: ServerEvent): void;
  /** The server said how the answer ends. */
  isComplete(): boolean;
  /** Undefined: nothing of an answer was received. */
  body(): JsonObject | undefined;
  /** What the model wrote, as far as it was received. */
  received(): string;
}

export type StartAssembly = () => Assembly;

/** Text that arrives in pieces; joined when it is asked for. */
export interface Pieces {
  add(piece: unknown): void;
  text(): string;
}

export function createPieces(): Pieces {
  const pieces: string[] = [];
  return {
    add(piece) {
      if (typeof piece === "string") pieces.push(piece);
    },
    text: () => pieces.join(""),
  };
}
