/** A webhook is told of runs, signed; where it fails for good, the run's events say so. */
import { createHmac } from "node:crypto";
import { createDynamoTable } from "../../../lib/aws/dynamo-table.ts";
import { NOTIFICATION_TRIES } from "../../../lib/core/run/notification.ts";
import { systemClock } from "../../../lib/host/system-clock.ts";
import { runKey } from "../../../lib/registry/keys.ts";
import type { Receiver } from "../../servers/webhook-receiver.ts";
import type { Stage } from "../stage.ts";
import { KEY } from "../stage-model.ts";
import { type Act, ask, compute, json, must, mustStand, SHORT } from "./act.ts";

function receiverOf({ receiver }: Stage): Receiver {
  if (!receiver) throw new Error("No webhook is configured on this stage.");
  return receiver;
}

const tableOf = ({ storage: { dynamo: client, tableName } }: Stage) =>
  createDynamoTable({ client, tableName, clock: systemClock, random: Math.random });

const outbox = (stage: Stage, runId: string) => tableOf(stage).query(runKey(runId), { prefix: "NOTIFY#" });

/** Every secret of the stage has the same value. */
const signatureOf = (timestamp: unknown, body: string): string =>
  `v1=${createHmac("sha256", KEY).update(`${timestamp}.${body}`).digest("hex")}`;

export const toldOfEnd: Act = {
  name: "a webhook is told once how a run ended, and signed",
  async play(stage) {
    const { received } = receiverOf(stage);
    const run = await compute(stage, SHORT);
    mustStand(run, "completed");
    await stage.sweep();
    await stage.sweep();
    const [told, ...more] = received.filter(({ notification }) => notification.run.id === run.id);
    if (!told) throw new Error("Nobody was told.");
    must("It is told once", more.length === 0, more);
    must("It says how the run ended", told.notification.type === "completed", told.body);
    const signed = signatureOf(told.headers["x-l2mac-timestamp"], told.body);
    must("It is signed", told.headers["x-l2mac-signature"] === signed, told.headers);
    must("Nothing is left to be told", (await outbox(stage, run.id)).length === 0);
  },
};

export const undelivered: Act = {
  name: "what a webhook does not take is given up at last, and the run's events say so",
  async play(stage) {
    const receiver = receiverOf(stage);
    const run = await compute(stage, SHORT);
    const [item] = await outbox(stage, run.id);
    if (!item) throw new Error("Nothing is to be told.");
    // As if it had been tried for half a day.
    await tableOf(stage).transact([{ update: item, set: { tries: NOTIFICATION_TRIES - 1 } }]);
    receiver.answer((response) => response.writeHead(503).end());
    try {
      await stage.sweep();
    } finally {
      receiver.answer(undefined);
    }
    const { events } = json(await ask(stage, `GET /runs/${run.id}/events`));
    const notices = events.filter(({ type }: { type: string }) => type === "notice");
    must("The run says that it was given up", /it answered 503.*given up/.test(notices.at(-1)?.text), notices);
    must("It is told no more", (await outbox(stage, run.id)).length === 0);
  },
};
