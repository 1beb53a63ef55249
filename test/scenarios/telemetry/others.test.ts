/** The published messages and names of OpenTelemetry, which others wrote, read the spans of a run. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { traceRequest } from "../../../packages/telemetry/otlp.ts";
import { obey, parts, submissionOf } from "../../doubles/lane-programs.ts";
import { alwaysGreen, compute } from "../../doubles/machines.ts";
import { openedMachines } from "../../doubles/opened-machines.ts";
import { scriptedModel } from "../../doubles/scripted-model.ts";
import { spansOf } from "../../doubles/traces.ts";

const MODULES =
  "opentelemetry.proto.trace.v1.trace_pb2, opentelemetry.semconv._incubating.attributes.gen_ai_attributes";
const isInstalled = spawnSync("python3", ["-c", `import ${MODULES}`]).status === 0;
const script = fileURLToPath(new URL("check_spans.py", import.meta.url));
const { opened } = openedMachines();

describe.skipIf(!isInstalled)("spans (needs opentelemetry-proto, opentelemetry-semantic-conventions)", () => {
  it("are read by them, with names that the conventions have", async () => {
    const machine = opened({ model: scriptedModel(obey), evaluator: alwaysGreen });
    const run = await compute(machine, await submissionOf(parts(3), 2));
    const spans = await spansOf(machine.registry, run.id);
    const [first] = spans;
    if (!first) throw new Error("There are no spans.");
    const strange = [
      { key: "l2mac.text", value: { stringValue: "ü\u{1f600}\u0000" } },
      { key: "l2mac.less", value: { intValue: "-1" } },
      { key: "l2mac.most", value: { intValue: String(Number.MAX_SAFE_INTEGER) } },
      { key: "l2mac.share", value: { doubleValue: -0.1 } },
      { key: "l2mac.no", value: { boolValue: false } },
    ];
    const links = [{ traceId: first.traceId, spanId: first.spanId }];
    const whole = [...spans, { ...first, spanId: "00ff00ff00ff00ff", attributes: strange, links }];
    const request = traceRequest({ attributes: { "service.name": "l2mac", team: "ü" }, version: "1.2.3" }, whole);
    const folder = mkdtempSync(join(tmpdir(), "l2mac-spans-"));
    try {
      const text = join(folder, "body.json");
      writeFileSync(text, JSON.stringify(request));
      const { stdout, stderr } = spawnSync("python3", [script, text], { encoding: "utf8" });
      expect(stderr).toBe("");
      expect(JSON.parse(stdout)).toMatchObject({ wrong: [], spans: whole.length });
      expect(stdout).toContain("\\u00fc");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
