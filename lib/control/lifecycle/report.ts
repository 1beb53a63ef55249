/** `report.json`: what was asked, done, checked and paid, for people and programs that come after the run. */

import type { Instruction } from "../../core/program/program.ts";
import { costOfRun, usdOf } from "../../core/run/budget.ts";
import { filesOf } from "../../core/run/file-count.ts";
import type { Run } from "../../core/run/run.ts";
import { maskEveryText } from "../../core/text/secrets.ts";
import { amendmentsIn } from "../../core/verdict/amendment.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import type { StoredProgram } from "../program/stored-program.ts";
import { putJson } from "../turn/journal.ts";
import type { World } from "../world.ts";
import type { FileSecret } from "./packed-secrets.ts";

interface Ended {
  /** What is going to be written to an instruction along with the run's end. */
  noted?: { number: number; set: Partial<Instruction> };
  /** In the files that are delivered. */
  secrets: FileSecret[];
}

export async function writeReport(world: World, run: Run, { noted, secrets }: Ended): Promise<void> {
  const { instructions: stored, requirements } = await executedProgram(world, run);
  const instructions = stored.map((each) => (each.number === noted?.number ? { ...each, ...noted.set } : each));
  const report = {
    format: 1,
    run: run.id,
    name: run.name,
    title: run.title,
    domain: run.options.domain,
    model: (run.models?.[0] ?? run.profile).model,
    ...(run.models
      ? { models: run.models.map(({ model }, place) => ({ model, usd: usdOf(run.paid?.[place] ?? 0) })) }
      : {}),
    rehearsal: run.profile.model === "rehearsal",
    status: run.status,
    reason: run.reason ?? null,
    detail: run.detail ?? "",
    createdAt: run.createdAt,
    endedAt: run.endedAt ?? null,
    activeSeconds: Math.round(run.activeMs / 1_000),
    cost: costOfRun(run),
    tests: { passed: run.testsPassed, total: run.testsTotal },
    ...(run.knownRed === undefined ? {} : { knownRed: run.knownRed }),
    ...(run.givenTests ? { givenTests: run.givenTests } : {}),
    amendments: amendmentsIn(instructions),
    ...(run.secrets || secrets.length > 0 ? { secrets: { masked: run.secrets ?? 0, inFiles: secrets } } : {}),
    unchecked: run.unchecked,
    smoke: run.smoke ?? null,
    evidence: run.options.evidence ?? "off",
    ...(run.proven ? { proven: run.proven } : {}),
    ...(run.waivers ? { waivers: run.waivers } : {}),
    skipped: instructions.filter(({ status }) => status === "skipped").map(({ number }) => number),
    ...(run.git ? { repository: run.git } : {}),
    ...(run.forkedFrom ? { forkedFrom: run.forkedFrom } : {}),
    files: filesOf(run),
    requirements: requirements.map(({ id, text }) => ({
      id,
      text,
      instructions: instructions.filter((each) => each.requirements.includes(id)).map((each) => each.number),
    })),
    instructions: instructions.map(({ kind: _kind, text: _text, step: _step, tried: _tried, ...reported }) => reported),
  };
  await putJson(world.files, fileStoreKeys(run.id).report, maskEveryText(report));
}

/** What a person put in the place of the planned program is no run's program before it is stored: then nothing is executed. */
async function executedProgram({ registry }: World, { id, replacement }: Run): Promise<StoredProgram> {
  if (replacement !== undefined) return { instructions: [], requirements: [] };
  const [instructions, requirements] = await Promise.all([registry.instructions(id), registry.requirements(id)]);
  return { instructions, requirements };
}
