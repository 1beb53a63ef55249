/** `report.json`: what was asked, done, checked and paid, for people and programs that come after the run. */
import { usdOf } from "../core/budget.ts";
import type { Run } from "../core/run.ts";
import { fileStoreKeys } from "../registry/keys.ts";
import { putJson } from "./journal.ts";
import type { World } from "./world.ts";

export async function writeReport(world: World, run: Run): Promise<void> {
  const [requirements, instructions] = await Promise.all([
    world.registry.requirements(run.id),
    world.registry.instructions(run.id),
  ]);
  const report = {
    format: 1,
    run: run.id,
    name: run.name,
    title: run.title,
    domain: run.options.domain,
    model: run.profile.model,
    rehearsal: run.profile.model === "rehearsal",
    status: run.status,
    reason: run.reason ?? null,
    detail: run.detail ?? "",
    createdAt: run.createdAt,
    endedAt: run.endedAt ?? null,
    activeSeconds: Math.round(run.activeMs / 1_000),
    cost: {
      usd: usdOf(run.microUsd),
      calls: run.calls,
      turns: run.turns,
      inputTokens: run.inputTokens,
      cachedTokens: run.cachedTokens,
      outputTokens: run.outputTokens,
    },
    tests: { passed: run.testsPassed, total: run.testsTotal },
    unchecked: run.unchecked,
    files: run.files,
    requirements: requirements.map(({ id, text }) => ({
      id,
      text,
      instructions: instructions.filter((each) => each.requirements.includes(id)).map((each) => each.number),
    })),
    instructions: instructions.map(({ kind: _kind, text: _text, ...told }) => told),
  };
  await putJson(world.files, fileStoreKeys(run.id).report, report);
}
