/** Changing runs through the API: what is submitted is paid once, whatever happens to the answers. */
import type { z } from "zod";
import type { SubmissionBody } from "../api/submission-body.ts";
import type { Draft } from "../core/program/program.ts";
import type { Budget } from "../core/run/option-forms.ts";
import type { Run } from "../core/run/run.ts";
import type { Address } from "./address.ts";
import { again } from "./again.ts";
import { Accepted, Removed, UploadLink } from "./answers.ts";
import { type Ask, type Asking, type AskParts, openLink, readAnswer } from "./ask.ts";
import { unreachable } from "./refusal.ts";

export interface Changes {
  /** Answers the id of the run. */
  submit(body: SubmissionBody): Promise<string>;
  /** Answers the id under which a submission names it. */
  upload(zip: Uint8Array): Promise<string>;
  cancel(run: Run): Promise<void>;
  resume(run: Run, budget: Budget): Promise<void>;
  /** Has the program executed that waits, or this one in its place. */
  approve(run: Run, program?: Draft): Promise<void>;
  reject(run: Run): Promise<void>;
  /** `deleting`: the stack removes what is left. */
  remove(run: Run): Promise<"deleted" | "deleting">;
}

export interface ChangeParts extends Pick<AskParts, "sleep" | "random"> {
  address: Address;
  ask: Ask;
  newKey: () => string;
  /** As the run stands. */
  look: (id: string) => Promise<Run | undefined>;
}

const SUBMIT_PATIENCE = { tries: 6, mostMs: 8_000 };
const ONCE = { tries: 4, mostMs: 5_000, once: true };

export function createChanges(parts: ChangeParts): Changes {
  const { address, ask, newKey } = parts;
  const post = async <S extends z.ZodType>(schema: S, asking: Asking): Promise<z.infer<S>> => {
    const asked = await ask({ method: "POST", ...asking });
    if ("lost" in asked) throw unreachable(address.url, asked.lost);
    return readAnswer(address, asked.answer, schema);
  };
  return {
    async submit(body) {
      // The same key with each try: however many arrive, one run is made of them.
      const headers = { "idempotency-key": newKey() };
      return (await post(Accepted, { path: "/runs", body, headers, patience: SUBMIT_PATIENCE })).id;
    },
    upload: (zip) =>
      again(parts, async () => {
        const { id, url, headers } = await post(UploadLink, { path: "/uploads", body: { bytes: zip.length } });
        await openLink(address, url, { method: "PUT", body: zip, headers: headers ?? {}, bytesAtMost: ANSWER_BYTES });
        return id;
      }),
    cancel: (run) =>
      change(parts, run, {
        asking: { path: `/runs/${run.id}/cancel`, body: {} },
        isDone: (now) => now.cancelRequested === true || now.status === "cancelled",
      }),
    resume: (run, budget) =>
      change(parts, run, {
        asking: { path: `/runs/${run.id}/resume`, body: { budget } },
        isDone: (now) => now.epoch > run.epoch,
      }),
    approve: (run, program) =>
      change(parts, run, {
        asking: { path: `/runs/${run.id}/approve`, body: { decision: "approve", ...(program ? { program } : {}) } },
        isDone: (now) => now.epoch > run.epoch,
      }),
    reject: (run) =>
      change(parts, run, {
        asking: { path: `/runs/${run.id}/approve`, body: { decision: "reject" } },
        isDone: (now) => now.reason === "rejected",
      }),
    remove: (run) => remove(parts, run),
  };
}

const ANSWER_BYTES = 64 * 1024;

interface Change {
  asking: Asking;
  isDone: (now: Run) => boolean;
}

/** Where no answer comes the run itself tells whether it was done, before it is asked for once more. */
async function change({ address, ask, look }: ChangeParts, run: Run, { asking, isDone }: Change): Promise<void> {
  for (let failed = 0; ; failed += 1) {
    const asked = await ask({ method: "POST", patience: ONCE, ...asking });
    if ("answer" in asked && asked.answer.status < 500) return void readAnswer(address, asked.answer, Accepted);
    const now = await look(run.id);
    if (now && isDone(now)) return;
    if (failed >= 1 && "answer" in asked) return void readAnswer(address, asked.answer, Accepted);
    if (failed >= 1 && "lost" in asked) throw unreachable(address.url, asked.lost);
  }
}

/** A server of this computer lets no page change anything without it. */
const AS_JSON = { "content-type": "application/json" };

/** What is gone after an answer was lost was removed, by this request or one before it. */
async function remove({ address, ask, look }: ChangeParts, run: Run): Promise<"deleted" | "deleting"> {
  for (let failed = 0; ; failed += 1) {
    const asked = await ask({ method: "DELETE", path: `/runs/${run.id}`, headers: AS_JSON, patience: ONCE });
    if ("answer" in asked && asked.answer.status < 500) {
      if (failed > 0 && asked.answer.status === 404) return "deleted";
      return readAnswer(address, asked.answer, Removed).status;
    }
    if (!(await look(run.id))) return "deleting";
    if (failed >= 1 && "answer" in asked) return readAnswer(address, asked.answer, Removed).status;
    if (failed >= 1 && "lost" in asked) throw unreachable(address.url, asked.lost);
  }
}
