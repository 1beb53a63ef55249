/** An act of the rehearsal: something a user does with a deployed stack, and the expected result. */
import type { Run } from "../../../lib/core/run/run.ts";
import { NO_EVIDENCE } from "../../../test/doubles/no-evidence.ts";
import type { ApiAnswer, ApiRequest, Caller } from "../caller.ts";
import type { Denial } from "../parts.ts";
import type { Stage } from "../stage.ts";

export interface Act {
  /** A sentence: "…" */
  name: string;
  /** Throws if the result is not as expected. */
  play(stage: Stage): Promise<void>;
}

export function must(what: string, holds: boolean, seen?: unknown): void {
  if (!holds) throw new Error(seen === undefined ? what : `${what}: ${JSON.stringify(seen).slice(0, 1_500)}`);
}

export interface ExpectedAnswer extends ApiRequest {
  status?: number;
  as?: Caller;
}

/** Calls the API, and throws if the answer is not the expected one. */
export async function ask(
  stage: Stage,
  request: `${"GET" | "POST" | "PUT" | "DELETE"} /${string}`,
  { status = 200, as = stage.owner, ...asked }: ExpectedAnswer = {},
): Promise<ApiAnswer> {
  const [method = "", path = ""] = request.split(" ");
  const answered = await as.ask(method, path, asked);
  must(`${request} answers ${status}, and not ${answered.status}`, answered.status === status, answered.json);
  return answered;
}

/** The JSON body, untyped; each act checks the fields that concern it. */
// biome-ignore lint/suspicious/noExplicitAny: the acts read answers as a stranger's program would.
export const json = ({ json }: ApiAnswer): any => json;

export async function submit(stage: Stage, body: Record<string, unknown>, headers = {}): Promise<string> {
  const asked = { ...NO_EVIDENCE, ...body };
  return json(await ask(stage, "POST /runs", { status: 202, body: asked, headers })).id;
}

/** Waits until the control unit is idle, and reads the run. */
export async function settled(stage: Stage, id: string): Promise<Run> {
  await stage.controlUnit.settled();
  return json(await ask(stage, `GET /runs/${id}`));
}

export async function compute(stage: Stage, body: Record<string, unknown>, headers = {}): Promise<Run> {
  return settled(stage, await submit(stage, body, headers));
}

export function mustStand(run: Run, status: Run["status"], reason?: Run["reason"]): void {
  const stands = run.status === status && run.reason === reason;
  const { status: now, reason: why, detail } = run;
  must(`The run is ${status}${reason ? ` (${reason})` : ""}`, stands, { status: now, reason: why, detail });
}

/** Two instructions that the scripted model writes files for. */
export const SHORT = {
  task: "Write the parts.",
  program: [1, 2].map((number) => ({
    title: `Part ${number}`,
    text: `MARK-${number}-BEGINS Write the files of this part.`,
  })),
};

export async function perform(stage: Stage, act: Act): Promise<void> {
  const { denials } = stage.iam.ledger;
  const before = denials.length;
  const wrong = await act.play(stage).then(
    () => undefined,
    (error: Error) => error,
  );
  const denied = denials.slice(before).filter((each) => !stage.expects(each));
  const [first] = denied;
  if (first) throw new Error(deniedIn(act, first, wrong), { cause: wrong });
  if (wrong) throw new Error(`"${act.name}" failed: ${wrong.message}`, { cause: wrong });
  if (stage.proxy.failures.length > 0) throw new Error(`The rehearsal itself failed: ${stage.proxy.failures[0]}`);
}

/** What somebody else then went without is a failure too, though the act came to its end. */
const deniedIn = (act: Act, { principal, action, message }: Denial, wrong: Error | undefined): string =>
  `"${act.name}" ${wrong ? "failed" : "was spoiled"}: ${principal} was denied ${action}. ${message}`;
