/** A rehearsed web application whose parts need only the first one: each writes files of its own and a line of the README. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Model, ModelRequest } from "../../../lib/core/ports.ts";
import { projectFile } from "../../../lib/files/project-files.ts";
import { createRehearsalModel } from "../../../lib/model/rehearsal/player.ts";
import { readScenes, sceneFor } from "../../../lib/model/rehearsal/read-scenes.ts";
import { believingEvaluator } from "../../doubles/believing-evaluator.ts";
import { look } from "../../doubles/deaths.ts";
import { aSubmission, compute } from "../../doubles/machines.ts";
import { nappingClock } from "../../doubles/napping-clock.ts";
import { openedMachines } from "../../doubles/opened-machines.ts";
import { placeOf } from "../../doubles/scripted-model.ts";

const { opened } = openedMachines();
const rehearsals = projectFile("rehearsals");
const scene = sceneFor(readScenes(rehearsals), "a board of cards");
const finalFile = (path: string): string => readFileSync(join(rehearsals, scene.name, "files", path), "utf8");

const isOf = (request: ModelRequest, instruction: number): boolean => {
  const place = placeOf(request);
  return !place.planning && place.instruction === instruction;
};

/** The run goes on with its second instruction when lanes have begun the others. `checks`: lane 3 runs the checks, too. */
function sideBySide({ lanes, checks = false }: { lanes: number; checks?: boolean }): Model {
  const scripted = createRehearsalModel({ rehearsals });
  const begun = [3, 4].map(() => Promise.withResolvers<void>());
  return {
    async ask(request, signal, progress) {
      for (const [at, { resolve }] of begun.entries()) if (isOf(request, at + 3)) resolve();
      if (lanes > 1 && isOf(request, 2)) await Promise.all(begun.map(({ promise }) => promise));
      const answer = await scripted.ask(request, signal, progress);
      const isFirst = isOf(request, 3) && placeOf(request).answers === 0;
      const call = { id: "checks", name: "run_checks", arguments: "{}" };
      return checks && isFirst ? { ...answer, toolCalls: [...answer.toolCalls, call] } : answer;
    },
  };
}

async function computed(given: { lanes: number; checks?: boolean }) {
  const machine = opened({ model: sideBySide(given), evaluator: believingEvaluator, clock: nappingClock });
  const submission = await aSubmission({
    task: scene.task,
    options: { evidence: "own", parallel: given.lanes },
    profile: { model: "rehearsal", maxOutputTokens: 4_096 },
    submission: { requirements: scene.requirements },
  });
  const run = await compute(machine, submission);
  expect(run).toMatchObject({ status: "completed", proven: { proven: 5, total: 5 } });
  const { difference, treeHash, expected } = await machine.replay(run.id);
  expect([difference, treeHash]).toEqual([undefined, expected]);
  const { events, tree } = await look(machine, run.id);
  const joining = events.flatMap((event) =>
    event.type === "joined" || event.type === "dropped" ? [`${event.type} ${event.instruction}`] : [],
  );
  return { joining, tree };
}

it("joins both lanes, with the lines of all in the order of the program, as one lane writes them", async () => {
  const { joining, tree } = await computed({ lanes: 3 });
  expect(joining).toEqual(["joined 3", "joined 4"]);
  expect(tree["README.md"]).toBe(finalFile("README.md"));
  expect(tree["package.json"]).toBe(finalFile("package.json"));
  expect(tree).toEqual((await computed({ lanes: 1 })).tree);
});

it("joins a lane that ran the checks, and wrote a line of the README", async () => {
  const { joining } = await computed({ lanes: 3, checks: true });
  expect(joining).toEqual(["joined 3", "joined 4"]);
});
