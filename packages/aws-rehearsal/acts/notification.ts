/** Notifications of runs: signed to a webhook, and as events on the default bus; a failure is recorded in the run's events. */
import { createHmac } from "node:crypto";
import { createDynamoTable } from "../../../lib/aws/dynamo-table.ts";
import { NOTIFICATION_TRIES } from "../../../lib/core/notification/notification.ts";
import { systemClock } from "../../../lib/host/system-clock.ts";
import { runKey } from "../../../lib/registry/keys.ts";
import { flawsIn } from "../../../test/doubles/traces.ts";
import type { Receiver } from "../../../test/servers/webhook-receiver.ts";
import { type TraceRequest, traceIdOf } from "../../telemetry/otlp.ts";
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
  name: "a webhook is notified once when a run ends, with a signature",
  async play(stage) {
    const { received } = receiverOf(stage);
    const run = await compute(stage, SHORT);
    mustStand(run, "completed");
    await stage.sweep();
    await stage.sweep();
    const [sent, ...more] = received.filter(({ notification }) => notification.run.id === run.id);
    if (!sent) throw new Error("No notification was sent.");
    must("It is sent once", more.length === 0, more);
    must("It says how the run ended", sent.notification.type === "completed", sent.body);
    const signed = signatureOf(sent.headers["x-l2mac-timestamp"], sent.body);
    must("It is signed", sent.headers["x-l2mac-signature"] === signed, sent.headers);
    must("Nothing is left to send", (await outbox(stage, run.id)).length === 0);
  },
};

export const traced: Act = {
  name: "a collector gets the spans of a run once, with the header, and again only what it did not take",
  async play(stage) {
    const { collector } = stage;
    if (!collector) throw new Error("No collector is configured on this stage.");
    collector.answer((response) => response.writeHead(503).end());
    const run = await compute(stage, SHORT);
    await stage.sweep();
    collector.answer();
    const [item] = await outbox(stage, run.id);
    if (!item) throw new Error("Spans that were not taken are not kept to be sent again.");
    const before = collector.received.length;
    await tableOf(stage).transact([{ update: item, set: { dueAt: new Date(0).toISOString() } }]);
    await stage.sweep();
    await stage.sweep();
    const spansOfRun = collector.received
      .slice(before)
      .flatMap(({ body }) => (JSON.parse(body.toString()) as TraceRequest).resourceSpans)
      .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
      .filter(({ traceId }) => traceId === traceIdOf(run.id));
    must("The trace is whole, and each span is in it once", flawsIn(spansOfRun).length === 0, flawsIn(spansOfRun));
    const header = collector.received.at(-1)?.headers["x-key"];
    must("It has the header that the secret holds", header === KEY, header);
    must("Nothing is left to send", (await outbox(stage, run.id)).length === 0);
  },
};

export const putOnBus: Act = {
  name: "a run's end is an event on the default bus, and is sent again if the bus did not take it",
  async play(stage) {
    const { events } = stage;
    const run = await compute(stage, SHORT);
    const eventsOf = () => events.received.filter(({ detail }) => detail.run.id === run.id);
    events.refuseNext(run.id, "ThrottlingException");
    await stage.sweep();
    const [item] = await outbox(stage, run.id);
    if (!item) throw new Error("A refused event is not kept to be sent again.");
    must("The refused event is not on the bus", eventsOf().length === 0);
    await tableOf(stage).transact([{ update: item, set: { dueAt: new Date(0).toISOString() } }]);
    await stage.sweep();
    await stage.sweep();
    const [event, ...more] = eventsOf();
    must("It is sent once", event !== undefined && more.length === 0, eventsOf());
    must("It says how the run ended", event?.["detail-type"] === "Run Completed", event);
    must("It names the stack", event?.detail.stack === stage.deployed.stackName, event);
    const posted = stage.receiver?.received.filter(({ notification }) => notification.run.id === run.id) ?? [];
    must("The webhook is not notified again", posted.length === 1, posted);
    must("Nothing is left to send", (await outbox(stage, run.id)).length === 0);
  },
};

export const undelivered: Act = {
  name: "what a webhook does not take is given up at last, and the run's events say so",
  async play(stage) {
    const receiver = receiverOf(stage);
    const run = await compute(stage, SHORT);
    const [item] = await outbox(stage, run.id);
    if (!item) throw new Error("There is nothing to send.");
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
    must("It is not sent again", (await outbox(stage, run.id)).length === 0);
  },
};
