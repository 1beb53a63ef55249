/** A file missing from the file store is reported as missing, not as access denied. */
import { DeleteObjectCommand } from "@aws-sdk/client-s3";
import type { Run } from "../../../lib/core/run/run.ts";
import { fileStoreKeys } from "../../../lib/registry/keys.ts";
import type { RemovedPermission, Stage } from "../stage.ts";
import { type Act, ask, compute, must, mustStand, SHORT, settled } from "./act.ts";

const lose = ({ storage }: Stage, key: string) =>
  storage.s3.send(new DeleteObjectCommand({ Bucket: storage.bucketName, Key: key }));

/** Stopped where a role lacks an action; then a file is lost, and the run is to go on. */
async function resumeWithout(stage: Stage, stopped: RemovedPermission, lost: (run: Run) => string): Promise<void> {
  const failed = await stage.without(stopped, () => compute(stage, SHORT));
  mustStand(failed, "failed", "internal");
  await lose(stage, lost(failed));
  await ask(stage, `POST /runs/${failed.id}/resume`, { status: 202, body: {} });
  const run = await settled(stage, failed.id);
  mustStand(run, "failed", "damaged");
  must("The run says what is gone", /missing|damaged|gone/.test(run.detail ?? ""), run.detail);
}

const taskOf = ({ id }: Run): string => fileStoreKeys(id).task;

export const damagedBeforePlan: Act = {
  name: "a task that is gone is named before planning",
  play: (stage) => resumeWithout(stage, { role: /^ControlUnitPlanRole/, action: "s3:GetObject" }, taskOf),
};

export const damagedBeforeExecute: Act = {
  name: "a task that is gone is named before executing",
  play: (stage) => resumeWithout(stage, { role: /^ControlUnitExecuteRole/, action: "s3:GetObject" }, taskOf),
};

export const damagedBeforeDelivery: Act = {
  name: "a pack that is gone is named before delivering",
  play: (stage) =>
    resumeWithout(stage, { role: /^ControlUnitDeliverRole/, action: "s3:PutObject" }, ({ id, packed }) =>
      fileStoreKeys(id).changes(packed),
    ),
};
