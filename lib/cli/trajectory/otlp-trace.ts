/** The trace of a run as one OTLP request, for collectors that did not take it while the run was computed. */

import { createRunTrace, readResource, traceRequest } from "../../../packages/telemetry/index.ts";
import { followEvents } from "../../client/follow-run.ts";
import type { Run } from "../../core/run/run.ts";
import { projectVersion } from "../../files/project-files.ts";
import type { Shell } from "../display/shell.ts";
import type { Connection } from "../runs/connection.ts";

export async function otlpTrace(
  connection: Connection,
  run: Run,
  shell: Shell,
): Promise<{ text: string; spans: number }> {
  const trace = createRunTrace(run.id);
  await followEvents(connection, run.id, {
    after: 0,
    until: "now",
    isStopped: shell.readerGone,
    show: (events) => {
      for (const event of events) trace.read(event, run);
    },
  });
  const spans = trace.take(true).map(({ span }) => span);
  const attributes = readResource(shell.env);
  return { text: JSON.stringify(traceRequest({ attributes, version: projectVersion() }, spans)), spans: spans.length };
}
