/** What a call of the library answers: a run with its program, its files and what it cost. */
import type { Client } from "../client/client.ts";
import { type Draft, draftOf } from "../core/program/program.ts";
import { usdOf } from "../core/run/budget.ts";
import { type Run, type RunReason, waitsForApproval } from "../core/run/run.ts";
import { decodeText } from "../core/text/file-text.ts";

export interface Cost {
  usd: number;
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

type Reading = Pick<Client, "output" | "program">;

/** `bytes`: whether the files are read as they are. */
export async function readResult(client: Reading, run: Run, bytes = false): Promise<Generated<string | Uint8Array>> {
  const { status, reason } = run;
  const files = [...(await client.output(run))].map(([path, content]) => ({
    path,
    content,
    text: decodeText(content),
  }));
  const shown = files.flatMap(({ path, content, text }): [string, string | Uint8Array][] =>
    bytes ? [[path, content]] : text === undefined ? [] : [[path, text]],
  );
  return {
    files: Object.fromEntries(shown),
    binaries: files.filter(({ text }) => text === undefined).map(({ path }) => path),
    run,
    program: draftOf(await client.program(run.id)),
    status,
    ...(reason ? { reason } : {}),
    cost: {
      usd: usdOf(run.microUsd),
      turns: run.turns,
      inputTokens: run.inputTokens,
      cachedTokens: run.cachedTokens,
      outputTokens: run.outputTokens,
    },
  };
}

/** Throws what is kept where the run did not complete. */
export function completed<Result extends Generated<string | Uint8Array>>(result: Result): Result {
  if (result.status === "completed") return result;
  const { id, status, detail, reason } = result.run;
  throw new RunFailed(`Run ${id} is ${status}: ${detail ?? reason ?? ""}`, result);
}

/** Throws what is kept where no program waits for approval. */
export function planned<Result extends Generated<string | Uint8Array>>(result: Result): Result {
  return waitsForApproval(result.run) ? result : completed(result);
}
