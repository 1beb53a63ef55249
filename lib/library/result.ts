/** What a call of the library answers: a run with its program, its files and what it cost. */
import type { Draft } from "../core/program/program.ts";
import type { Run, RunReason } from "../core/run/run.ts";

export interface Cost {
  usd: number;
  calls: number;
  turns: number;
  inputTokens: number;
  cachedTokens: number;
  outputTokens: number;
}

/** `Content`: text, or bytes where the call has `bytes: true`. */
export interface Generated<Content extends string | Uint8Array = string> {
  /** By path. As text, the files that are no UTF-8 are left out. */
  files: Record<string, Content>;
  /** The paths of the files that are no text: pictures, the EPUB and the PDF of a book. */
  binaries: string[];
  run: Run;
  /** As it was planned, or given: it can be given to another run. */
  program: Draft;
  status: Run["status"];
  /** `unchecked`: completed, but not everything could be checked. */
  reason?: RunReason;
  cost: Cost;
}

/** The run ended before it was complete. What it made is here, and kept in its home, where it can be resumed. */
export class RunFailed extends Error {
  override readonly name = "L2mac.RunFailed";
  readonly kept: Generated<string | Uint8Array>;
  constructor(message: string, kept: Generated<string | Uint8Array>) {
    super(message);
    this.kept = kept;
  }
}
