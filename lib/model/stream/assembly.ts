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
  size: Readonly<AnswerSize>;
}

/** Of what was received, known without joining it. */
export interface AnswerSize {
  characters: number;
  bytes: number;
  /** Blocks and calls: each takes memory, also where nothing is written in it. */
  blocks: number;
}

export type StartAssembly = () => Assembly;

/** Text that arrives in pieces; joined when it is asked for. */
export interface Pieces {
  add(piece: unknown): void;
  text(): string;
}

/** `size`: of the answer that they are a text of. Absent: the model did not write it for a reader. */
export function createPieces(size?: AnswerSize): Pieces {
  const pieces: string[] = [];
  return {
    add(piece) {
      if (typeof piece !== "string") return;
      pieces.push(piece);
      if (!size) return;
      size.characters += piece.length;
      size.bytes += Buffer.byteLength(piece);
    },
    text: () => pieces.join(""),
  };
}
