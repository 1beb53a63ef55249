/** Evaluates one attack, looks around, evaluates a healthy project, and says what is not as it must be. */
import { defined } from "../../../lib/core/defined.ts";
import type { Evaluator } from "../../../lib/core/ports.ts";
import type { Verdict } from "../../../lib/core/verdict/verdict.ts";
import { packTree } from "../../../lib/pack/pack.ts";
import type { Attack, AttackRequest, HonestProject } from "./attack.ts";
import { healthyFiles } from "./healthy.ts";
import type { Surroundings } from "./outside.ts";

export interface AttackResult {
  attack: Attack;
  seconds: number;
  verdict: string;
  /** What is not as it must be; empty: the attack was held off. */
  wrong: string[];
}

/** How much later than its limit an evaluation may end: hundreds of processes are to be killed, and fight for the processors. */
const GRACE_MS = 30_000;
const DEFAULT_MS = 60_000;
export const RUN = "HOSTILE";

export interface Ring {
  evaluator: Evaluator;
  surroundings: Surroundings;
  /** What the healthy project's verdict is without an attack. Absent: it is not looked at. */
  healthy?: string;
}

export async function strike(attack: Attack, ring: Ring): Promise<AttackResult> {
  const { outside, changed } = ring.surroundings;
  const began = performance.now();
  const wrong: string[] = [];
  const verdicts: string[] = [];
  for (const one of [attack, ...(attack.next ?? [])]) {
    const timeoutMs = attack.timeoutMs ?? DEFAULT_MS;
    const started = performance.now();
    const verdict = await evaluated(ring.evaluator, { files: one.files(outside), ask: one.ask, timeoutMs });
    const late = Math.round(performance.now() - started - timeoutMs);
    if (late > GRACE_MS) wrong.push(`it ended ${late} ms after its limit`);
    verdicts.push(wordsOf(verdict, one.ask));
    wrong.push(...dishonest(verdict, one.honest), ...(one.honest.also?.(verdict, outside) ?? []));
    if (JSON.stringify(verdict).includes(outside.secret)) wrong.push("the verdict tells a secret");
    wrong.push(...changed());
  }
  if (attack.lasting) wrong.push(...(await unhealthy(ring)));
  return { attack, seconds: (performance.now() - began) / 1000, verdict: verdicts.join(", then "), wrong };
}

/** What the attacks until now left for the next evaluation. */
export async function unhealthy({ evaluator, healthy }: Ring): Promise<string[]> {
  const found = healthy && (await healthyVerdict(evaluator));
  return found === healthy ? [] : [`the next evaluation is not healthy: ${found}`];
}

export const healthyVerdict = async (evaluator: Evaluator): Promise<string> => {
  const verdict = await evaluated(evaluator, {
    files: healthyFiles,
    ask: { syntax: true, tests: true },
    timeoutMs: 120_000,
  });
  const { milliseconds: _, requestId: __, ...rest } = verdict;
  return JSON.stringify(rest, (key, value) => (key === "seconds" || key === "output" ? undefined : value));
};

async function evaluated(
  { evaluate }: Evaluator,
  { files, ask, timeoutMs }: { files: Record<string, string>; ask: AttackRequest; timeoutMs: number },
): Promise<Verdict> {
  const changes = Object.entries(files).map(([path, text]) => ({ path, content: new TextEncoder().encode(text) }));
  const key = JSON.stringify(Object.entries(files));
  return evaluate({
    runId: RUN,
    base: { key, load: async () => packTree(undefined, changes) },
    changes: [],
    ...(ask.syntax ? { syntax: defined({ paths: ask.paths }) } : {}),
    ...(ask.tests ? { tests: {} } : {}),
    ...(ask.command
      ? { command: { argv: ask.command, timeoutSeconds: timeoutMs / 1000, ...defined({ keep: ask.keep }) } }
      : {}),
    install: ask.install ?? false,
    timeoutMs,
  });
}

const PARTS = ["syntax", "tests", "command"] as const;

const dishonest = (verdict: Verdict, honest: HonestProject): string[] =>
  PARTS.flatMap((part) => {
    const wanted = honest[part];
    const { status = "absent", ...rest } = verdict[part] ?? {};
    if (!wanted || wanted.some((one) => one === status)) return [];
    return [
      `${part}: ${status}, and honest is ${wanted.join(" or ")} (${honest.words}): ${JSON.stringify(rest).slice(0, 1_500)}`,
    ];
  });

const wordsOf = (verdict: Verdict, ask: AttackRequest): string =>
  PARTS.flatMap((part) => (ask[part] ? [`${part} ${verdict[part]?.status}`] : [])).join(" · ");
