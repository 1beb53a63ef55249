/** Looks at a run past the API: all that is left of it in the table and in the bucket. */

import { setTimeout as pause } from "node:timers/promises";
import { createDynamoTable } from "../../../lib/aws/dynamo-table.ts";
import { createS3Files } from "../../../lib/aws/s3-files.ts";
import { sha256 } from "../../../lib/control/files/digest.ts";
import type { World } from "../../../lib/control/world.ts";
import { readProjectFont } from "../../../lib/files/project-fonts.ts";
import { systemClock } from "../../../lib/host/system-clock.ts";
import { createProjectEpochs } from "../../../lib/local/machine.ts";
import { replayRun } from "../../../lib/local/replay.ts";
import { createRegistry } from "../../../lib/registry/registry.ts";
import { type Stage, zipOf } from "../../../packages/aws-rehearsal/index.ts";
import type { Evidence } from "./evidence.ts";

/** `asked`: requests that the model server got for this run. */
export async function lookAt(stage: Stage, id: string, asked: number): Promise<Evidence> {
  const world = worldOf(stage);
  const { registry } = world;
  const run = await registry.run(id);
  if (!run) throw new Error(`Run ${id} is gone.`);
  const isDone = run.status === "completed";
  const turns = [];
  for (let instruction = 0; instruction <= run.instructions; instruction += 1)
    turns.push(...(await registry.turns(id, instruction)));
  return {
    ...{ run, asked, turns },
    hash: isDone ? sha256(await zipOf(stage, id)) : "",
    events: await registry.events(id, { after: 0, limit: MANY }),
    isActive: (await registry.overdue({ upTo: FAR_AWAY, limit: MANY })).includes(id),
    replayed: isDone ? await replayRun({ world, compute: createProjectEpochs(), run }) : NOT_REPLAYED,
  };
}

const NOT_REPLAYED = { treeHash: "", expected: "", turns: 0 };
const MANY = 1_000;
const FAR_AWAY = "9999-12-31T00:00:00.000Z";

function worldOf({ storage }: Stage): World {
  const { dynamo, s3, tableName, bucketName } = storage;
  const waiting = { clock: systemClock, random: Math.random };
  const table = createDynamoTable({ client: dynamo, tableName, ...waiting });
  return {
    ...waiting,
    registry: createRegistry({ table, clock: systemClock }),
    files: createS3Files({ client: s3, bucket: bucketName, ...waiting }),
    model: noModel,
    evaluator: { evaluate: noModel },
    readFont: readProjectFont,
  };
}

/** A replay asks its recording alone. */
const noModel = async (): Promise<never> => {
  throw new Error("A replay asks no model.");
};

/** For what nothing else tells of: it is asked again and again, and in the end it is an error. */
export async function until(what: string, holds: () => boolean): Promise<void> {
  for (let asked = 0; !holds(); asked += 1) {
    if (asked > TIMES) throw new Error(`${what}: that did not come.`);
    await pause(PAUSE_MS);
  }
}

const PAUSE_MS = 10;
const TIMES = 3_000;
