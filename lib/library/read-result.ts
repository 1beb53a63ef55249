/** Reads what a call of the library answers, and throws it where the run is not as far as the call promises. */
import type { Client } from "../client/client.ts";
import { draftOf } from "../core/program/program.ts";
import { costOfRun } from "../core/run/budget.ts";
import { type Run, waitsForApproval } from "../core/run/run.ts";
import { decodeText } from "../core/text/file-text.ts";
import { type Generated, RunFailed } from "./result.ts";

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
    cost: costOfRun(run),
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
