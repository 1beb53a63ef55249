/** Events of runs, judged by others: EventBridge's own matching library, moto's event bus, and a validator of JSON Schema. */
import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CreateArchiveCommand, DescribeArchiveCommand } from "@aws-sdk/client-eventbridge";
import { describe, expect, it } from "vitest";
import { eventsClient } from "../../lib/aws/clients.ts";
import { createEventSender } from "../../lib/aws/event-bus.ts";
import type { Notification } from "../../lib/core/notification/notification.ts";
import { DETAIL_TYPES, RunEvent } from "../../lib/core/notification/run-event.ts";
import { moto } from "../../packages/aws-rehearsal/emulators/emulators.ts";

const page = readFileSync(new URL("../../docs/events.md", import.meta.url), "utf8");
const blockOf = (name: string): unknown =>
  JSON.parse(new RegExp(`<!-- ${name} -->\\n\`\`\`json\\n([\\s\\S]*?)\`\`\``).exec(page)?.[1] ?? "");
const PATTERNS = {
  attention: blockOf("pattern: attention"),
  stuck: blockOf("pattern: stuck"),
  expensive: blockOf("pattern: expensive"),
};

const aNotification = (type: Notification["type"], run: Partial<Notification["run"]>, usd = 0.1): Notification => ({
  ...{ id: `01RUN-7-${type}`, type, at: "2026-03-01T12:00:00.000Z" },
  run: { id: "01RUN", name: "words", title: 'Words, "quoted" & größer', status: "completed", ...run },
  cost: { usd, tokens: 10, turns: 1, minutes: 0.5 },
});

/** With the names of the patterns that match it. */
const SAMPLES: [Notification, string[]][] = [
  [aNotification("completed", {}), []],
  [aNotification("completed", {}, 3), ["expensive"]],
  [aNotification("partial", { status: "partial", reason: "trapped" }), ["attention", "stuck"]],
  [aNotification("partial", { status: "partial", reason: "usd" }, 5), ["attention", "expensive"]],
  [aNotification("failed", { status: "failed", reason: "planning" }), ["attention"]],
  [aNotification("cancelled", { status: "cancelled", reason: "cancelled" }), []],
  [aNotification("waiting", { status: "waiting", reason: "approval" }, 2), ["attention"]],
  [{ ...aNotification("ceiling", { status: "running" }, 4), ceiling: { of: "usd", limit: 5, spent: 4 } }, []],
];

const eventOf = (notification: Notification): RunEvent =>
  RunEvent.parse({
    ...{ version: "0", id: "6a7e8feb-b491-4cf7-a9f1-bf3703467718", source: "l2mac" },
    ...{ "detail-type": DETAIL_TYPES[notification.type], account: "111122223333", region: "eu-west-1" },
    ...{ time: "2026-03-01T12:00:00Z", resources: [], detail: { ...notification, stack: "L2mac" } },
  });

it("the example of docs/events.md is an event", () => {
  expect(RunEvent.parse(blockOf("example: event"))).toEqual(blockOf("example: event"));
});

const home = process.env.L2MAC_EMULATORS ?? "";
const jars = join(home, "event-ruler");
const hasRuler = home !== "" && globSync(join(jars, "event-ruler-*.jar")).length > 0;

describe.skipIf(!hasRuler)("Event Ruler, with which EventBridge matches", () => {
  it("matches the documented patterns with the events they are for, and with no others", () => {
    const asked = Object.entries(PATTERNS).flatMap(([name, pattern]) =>
      SAMPLES.map(([notification, matching]) => ({ pattern, notification, expected: matching.includes(name) })),
    );
    const input = asked.map((each) => `${JSON.stringify(each.pattern)}\t${JSON.stringify(eventOf(each.notification))}`);
    const judge = fileURLToPath(new URL("RulerJudge.java", import.meta.url));
    const argv = ["-XX:TieredStopAtLevel=1", "-cp", join(jars, "*"), judge];
    const { stdout, stderr } = spawnSync("java", argv, { input: input.join("\n"), encoding: "utf8" });
    expect(stdout.trim().split("\n"), stderr).toEqual(asked.map(({ expected }) => String(expected)));
  });
});

describe.skipIf(!moto.isThere)(`an event bus, ${moto.title}`, () => {
  it("takes what is sent, and its archives by the documented patterns hold what they should", async () => {
    const running = await moto.start();
    try {
      const credentials = { accessKeyId: "emulated", secretAccessKey: "emulated" };
      const client = eventsClient({ endpoint: running.endpoint, region: "eu-west-1", credentials });
      const EventSourceArn = "arn:aws:events:eu-west-1:123456789012:event-bus/default";
      for (const [ArchiveName, pattern] of Object.entries(PATTERNS))
        await client.send(
          new CreateArchiveCommand({ ArchiveName, EventSourceArn, EventPattern: JSON.stringify(pattern) }),
        );
      const send = createEventSender({ client, stack: "L2mac" });
      for (const [notification] of SAMPLES) expect(await send(notification)).toEqual({ ok: true });
      const counts = await Promise.all(
        Object.keys(PATTERNS).map(async (ArchiveName) => {
          const { EventCount } = await client.send(new DescribeArchiveCommand({ ArchiveName }));
          return [ArchiveName, EventCount];
        }),
      );
      const expected = Object.keys(PATTERNS).map((name) => [
        name,
        SAMPLES.filter(([, names]) => names.includes(name)).length,
      ]);
      expect(counts).toEqual(expected);
    } finally {
      await running.stop();
    }
  });
});

/** Of moto's own dependencies. */
const python = join(home, "moto/bin/python");

describe.skipIf(home === "" || !existsSync(python))("a validator of JSON Schema", () => {
  it("takes the published schema, every event, and no event of another source", () => {
    const schema = fileURLToPath(new URL("../../docs/reference/run-event.schema.json", import.meta.url));
    const program = `
import json, sys, jsonschema
validator = jsonschema.Draft4Validator(json.load(open(sys.argv[1])))
jsonschema.Draft4Validator.check_schema(validator.schema)
print(json.dumps([validator.is_valid(event) for event in json.load(sys.stdin)]))`;
    const events = SAMPLES.map(([notification]) => eventOf(notification));
    const [one = {}] = events;
    const input = JSON.stringify([...events, { ...one, source: "aws.ec2" }, { ...one, added: 1 }]);
    const { stdout, stderr } = spawnSync(python, ["-c", program, schema], { input, encoding: "utf8" });
    expect(JSON.parse(stdout || "[]"), stderr).toEqual([...events.map(() => true), false, true]);
  });
});
