/** Callers delete their own runs; the sweeper finishes deletions that were interrupted. */
import { ListObjectsV2Command, PutObjectCommand } from "@aws-sdk/client-s3";
import type { Stage } from "../stage.ts";
import { type Act, ask, compute, json, must, mustStand, SHORT } from "./act.ts";
import { makeOverdue } from "./repair.ts";

const objectsOf = async ({ storage }: Stage, id: string): Promise<number> => {
  const listed = await storage.s3.send(new ListObjectsV2Command({ Bucket: storage.bucketName, Prefix: `runs/${id}/` }));
  return listed.KeyCount ?? 0;
};

async function mustBeGone(stage: Stage, id: string): Promise<void> {
  await ask(stage, `GET /runs/${id}`, { status: 404 });
  must("No object is left", (await objectsOf(stage, id)) === 0);
  must("It is in no list", !json(await ask(stage, "GET /runs")).runs.some((run: { id: string }) => run.id === id));
}

export const removed: Act = {
  name: "a run is deleted by whom it belongs to, with all that it made",
  async play(stage) {
    const run = await compute(stage, SHORT);
    mustStand(run, "completed");
    must("It has objects", (await objectsOf(stage, run.id)) > 0);
    await ask(stage, `DELETE /runs/${run.id}`, { as: stage.colleague, status: 404 });
    const { status } = json(await ask(stage, `DELETE /runs/${run.id}`));
    must("It is deleted", status === "deleted", status);
    await mustBeGone(stage, run.id);
    await ask(stage, `DELETE /runs/${run.id}`, { status: 404 });
  },
};

export const removedLate: Act = {
  name: "a deletion that broke off is finished by the sweeper",
  async play(stage) {
    const run = await compute(stage, SHORT);
    await stage.without({ role: /^ApiFunctionRole/, action: "dynamodb:DeleteItem" }, () =>
      stage.owner.ask("DELETE", `/runs/${run.id}`, {}),
    );
    await ask(stage, `GET /runs/${run.id}`, { status: 404 });
    must("Its item is still there", (await stage.itemOf(run.id)).deleting === true);
    // What was stored late, by an attempt that did not know.
    const { s3, bucketName: Bucket } = stage.storage;
    await s3.send(new PutObjectCommand({ Bucket, Key: `runs/${run.id}/late`, Body: "late" }));
    await makeOverdue(stage, run.id);
    await stage.sweep();
    await mustBeGone(stage, run.id);
  },
};
