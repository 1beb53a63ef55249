/** The sweeper repairs runs that died silently: starts, extends or records them. Failures are recorded at once. */
import { randomUUID } from "node:crypto";
import { UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import type { Run } from "../../../lib/core/run/run.ts";
import type { Stage } from "../stage.ts";
import { type Act, ask, compute, json, must, mustStand, SHORT, settled, submit } from "./act.ts";

const show = async (stage: Stage, id: string): Promise<Run> => json(await ask(stage, `GET /runs/${id}`));

/** Instead of waiting for a quarter of an hour. */
export const makeOverdue = async ({ storage }: Stage, id: string): Promise<void> => {
  await storage.dynamo.send(
    new UpdateItemCommand({
      TableName: storage.tableName,
      Key: { pk: { S: `RUN#${id}` }, sk: { S: "META" } },
      UpdateExpression: "SET dueAt = :past",
      ConditionExpression: "attribute_exists(dueAt)",
      ExpressionAttributeValues: { ":past": { S: "2020-01-01T00:00:00.000Z" } },
    }),
  );
};

export const startedLate: Act = {
  name: "a run whose execution was never started is started by the sweeper",
  async play(stage) {
    const name = `lost-${randomUUID().slice(0, 8)}`;
    const lost = await stage.without({ role: /^ApiFunctionRole/, action: "states:StartExecution" }, async () => {
      await stage.owner.ask("POST", "/runs", { body: { ...SHORT, evidence: "off", name } });
      const { runs } = json(await ask(stage, `GET /runs?q=${name}`));
      must("The run is there", runs.length === 1);
      return runs[0].id as string;
    });
    await makeOverdue(stage, lost);
    await stage.sweep();
    mustStand(await settled(stage, lost), "completed");
  },
};

export const extended: Act = {
  name: "a run that takes its time is left to itself by the sweeper",
  async play(stage) {
    const release = stage.model.hold();
    try {
      const id = await submit(stage, SHORT);
      await stage.model.asked();
      await makeOverdue(stage, id);
      await stage.sweep();
      const { dueAt } = await stage.itemOf(id);
      must("The sweeper gave it more time", String(dueAt) > new Date().toISOString(), dueAt);
      release();
      mustStand(await settled(stage, id), "completed");
    } finally {
      // A held model would keep what comes after a failure waiting for ever.
      release();
    }
  },
};

export const recordedLate: Act = {
  name: "a run whose execution ended without a word is recorded as failed by the sweeper",
  async play(stage) {
    const id = await stage.without({ role: /^ControlUnitRole/, action: "lambda:InvokeFunction" }, async () => {
      const submitted = await submit(stage, SHORT);
      await stage.controlUnit.settled();
      return submitted;
    });
    await makeOverdue(stage, id);
    await stage.sweep();
    mustStand(await show(stage, id), "failed", "internal");
  },
};

export const recorded: Act = {
  name: "what a function cannot do is recorded, and the run can go on once it can",
  async play(stage) {
    const failed = await stage.without({ role: /^ControlUnitExecuteRole/, action: "s3:PutObject" }, () =>
      compute(stage, SHORT),
    );
    mustStand(failed, "failed", "internal");
    must("The run says what was denied", /s3:PutObject/.test(failed.detail ?? ""), failed.detail);
    await ask(stage, `POST /runs/${failed.id}/resume`, { status: 202, body: {} });
    mustStand(await settled(stage, failed.id), "completed");
  },
};
