/** Changes runs through the API: a submission is paid once, whatever happens to the answers. */
import type { z } from "zod";
import type { ForkBody } from "../api/fork-body.ts";
import type { MakeBody } from "../api/make-body.ts";
import type { ResumeBody } from "../api/resume-body.ts";
import type { SubmissionBody } from "../api/submission-body.ts";
import type { Draft } from "../core/program/program.ts";
import type { GivenAnswer } from "../core/program/reply.ts";
import type { Run } from "../core/run/run.ts";
import { Accepted, MakePlanAnswer, Removed, Submitted } from "./answers.ts";
import { type ApiCall, type Ask, readAnswer } from "./ask.ts";
import { type AttachParts, attachTrees, type Trees } from "./attach-trees.ts";
import { unreachable } from "./refusal.ts";

export interface WayBack {
  /** The instruction that the new run begins with. */
  to: number;
  name?: string;
}

/** `prompts`: texts of a pack by file name. */
export type Fork = z.input<typeof ForkBody>;
export type MakePlan = z.infer<typeof MakePlanAnswer>["plan"];

export interface Changes {
  /** `trees`: are attached to the body. Answers the run's id, and what was assumed of the model, in sentences. */
  submit(body: SubmissionBody, trees?: Trees): Promise<{ id: string; notes: string[] }>;
  /** This and the next four answer the run as it is then. */
  cancel(run: Run): Promise<Run>;
  resume(run: Run, changes: ResumeBody): Promise<Run>;
  /** Has the program executed that waits, or this one in its place. */
  approve(run: Run, program?: Draft): Promise<Run>;
  /** Submits a run that begins as this one stood before an instruction; answers the new one. */
  back(run: Run, way: WayBack): Promise<Run>;
  /** Submits a run that inherits this one up to a point; answers the new one. */
  fork(run: Run, fork: Fork): Promise<Run>;
  /** What a run of the changed program would take over, and what the rest may cost. */
  planMake(run: Run, body: MakeBody): Promise<MakePlan>;
  /** Submits that run; answers the new one. */
  make(run: Run, body: MakeBody): Promise<Run>;
  /** Has the model revise the program that waits. */
  revise(run: Run, feedback: string): Promise<Run>;
  /** Answers the question that it waits for. */
  answer(run: Run, given: GivenAnswer): Promise<Run>;
  reject(run: Run): Promise<Run>;
  /** Takes a requirement as it is. */
  waive(run: Run, waiver: { requirement: string; reason: string }): Promise<Run>;
  /** `deleting`: the API removes what is left. */
  remove(run: Run): Promise<"deleted" | "deleting">;
}

export interface ChangeParts extends Omit<AttachParts, "post"> {
  ask: Ask;
  /** Makes idempotency keys. Absent: no answer can be lost on the way. */
  newKey?: (() => string) | undefined;
  /** Reads a run. */
  look: (id: string) => Promise<Run | undefined>;
}

const SUBMIT_PATIENCE = { tries: 6, mostMs: 8_000 };
const ONCE = { tries: 4, mostMs: 5_000, once: true };

export function createChanges(parts: ChangeParts): Changes {
  const { address, ask, newKey } = parts;
  const post: AttachParts["post"] = async <S extends z.ZodType>(schema: S, asking: ApiCall): Promise<z.infer<S>> => {
    const asked = await ask({ method: "POST", ...asking });
    if ("lost" in asked) throw unreachable(address.url, asked.lost);
    return readAnswer(address, asked.answer, schema);
  };
  const keyed = (): Record<string, string> => (newKey ? { "idempotency-key": newKey() } : {});
  return {
    async submit(body, trees = {}) {
      const whole = { ...body, ...(await attachTrees({ ...parts, post }, trees)) };
      // The same key with each try: however many arrive, one run is made of them.
      const headers = keyed();
      const { id, notes = [] } = await post(Submitted, {
        path: "/runs",
        body: whole,
        headers,
        patience: SUBMIT_PATIENCE,
      });
      return { id, notes };
    },
    cancel: (run) =>
      change(parts, run, {
        asking: { path: `/runs/${run.id}/cancel`, body: {} },
        isDone: (now) => now.cancelRequested === true || now.status === "cancelled",
      }),
    resume: (run, changes) =>
      change(parts, run, {
        asking: { path: `/runs/${run.id}/resume`, body: changes },
        isDone: (now) => now.epoch > run.epoch,
      }),
    async approve(run, program) {
      const { programData } = await import("../core/program/program-text.ts");
      const body = { decision: "approve", ...(program && { program: programData(program) }) };
      return change(parts, run, {
        asking: { path: `/runs/${run.id}/approve`, body },
        isDone: (now) => now.epoch > run.epoch,
      });
    },
    ...createFromRun({ ...parts, post, keyed }),
    revise: (run, feedback) =>
      change(parts, run, {
        asking: { path: `/runs/${run.id}/revise`, body: { feedback } },
        isDone: (now) => now.epoch > run.epoch,
      }),
    answer: (run, given) => change(parts, run, answering(run, given)),
    reject: (run) =>
      change(parts, run, {
        asking: { path: `/runs/${run.id}/approve`, body: { decision: "reject" } },
        isDone: (now) => now.reason === "rejected",
      }),
    waive: (run, waiver) =>
      change(parts, run, {
        asking: { path: `/runs/${run.id}/waivers`, body: waiver },
        isDone: ({ waivers = [] }) => waivers.some(({ requirement }) => requirement === waiver.requirement),
      }),
    remove: (run) => remove(parts, run),
  };
}

type Post = AttachParts["post"];

/** New runs that are made of another one. */
function createFromRun({
  look,
  post,
  keyed,
}: Pick<ChangeParts, "look"> & { post: Post; keyed: () => Record<string, string> }): Pick<
  Changes,
  "back" | "fork" | "planMake" | "make"
> {
  const submitFrom = async (run: Run, asking: ApiCall): Promise<Run> => {
    const { id } = await post(Submitted, { ...asking, headers: keyed(), patience: SUBMIT_PATIENCE });
    return (await look(id)) ?? run;
  };
  return {
    back: (run, way) => submitFrom(run, { path: `/runs/${run.id}/back`, body: way }),
    fork: (run, fork) => submitFrom(run, { path: `/runs/${run.id}/fork`, body: fork }),
    make: (run, body) => submitFrom(run, { path: `/runs/${run.id}/make`, body }),
    planMake: async (run, body) => {
      const asking = { path: `/runs/${run.id}/make`, body: { ...body, dryRun: true }, patience: SUBMIT_PATIENCE };
      return (await post(MakePlanAnswer, asking)).plan;
    },
  };
}

interface Change {
  asking: ApiCall;
  isDone: (now: Run) => boolean;
}

/** Where no answer of the API comes, it is asked once more: then it says whether it is this answer that it has. */
const answering = ({ id }: Run, given: GivenAnswer): Change => ({
  asking: { path: `/runs/${id}/answers`, body: given },
  isDone: () => false,
});

/** Where no answer comes, the run itself shows whether the change was made, before it is asked for once more. */
async function change({ address, ask, look }: ChangeParts, run: Run, { asking, isDone }: Change): Promise<Run> {
  for (let failed = 0; ; failed += 1) {
    const asked = await ask({ method: "POST", patience: ONCE, ...asking });
    if ("answer" in asked && (asked.answer.status < 500 || failed >= 1)) {
      readAnswer(address, asked.answer, Accepted);
      return (await look(run.id)) ?? run;
    }
    const now = await look(run.id);
    if (now && isDone(now)) return now;
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
