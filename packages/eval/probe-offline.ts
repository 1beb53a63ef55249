/** Whether what is checked can reach the network: it tries to reach a server of this computer. */
import { randomUUID } from "node:crypto";
import type { Evaluator } from "../../lib/core/ports.ts";
import { packTree } from "../../lib/pack/pack.ts";

export interface OfflineRow {
  probe: "offline";
  how: string;
  isRight: boolean;
  details: string[];
}

export interface OfflineProbe {
  evaluator: Evaluator;
  sealed: { sealed: boolean; how: string };
  listen(): Promise<{ port: number; wasReached(): boolean; close(): void }>;
}

const PROBE_MS = 60_000;
const CONNECTS = `const socket = require("node:net").connect(PORT, "127.0.0.1");
socket.on("connect", () => socket.destroy());
socket.on("error", () => console.log("refused"));
`;

export async function probeOffline({ evaluator, sealed, listen }: OfflineProbe): Promise<OfflineRow> {
  if (!sealed.sealed) return { probe: "offline", how: `not sealed: ${sealed.how}`, isRight: true, details: [] };
  const server = await listen();
  const runId = randomUUID();
  const content = new TextEncoder().encode(CONNECTS.replace("PORT", String(server.port)));
  try {
    const { command } = await evaluator.evaluate({
      runId,
      base: { key: runId, load: async () => packTree(undefined, [{ path: "connect.cjs", content }]) },
      changes: [],
      command: { argv: ["node", "connect.cjs"] },
      install: false,
      timeoutMs: PROBE_MS,
    });
    const isRight = command?.stdout.includes("refused") === true && !server.wasReached();
    const details = isRight ? [] : [`a connection was not refused: ${command?.status ?? "nothing ran"}`];
    return { probe: "offline", how: isRight ? "no network" : "network", isRight, details };
  } finally {
    server.close();
    await evaluator.release?.(runId);
  }
}
