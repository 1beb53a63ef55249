/** A run larger than any yet, as the API would tell of it: no model made it, every answer is reckoned from its number. */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { newRun } from "../lib/control/lifecycle/submit.ts";
import type { Run } from "../lib/core/run/run.ts";
import type { TurnRecord } from "../lib/core/turn/turn.ts";
import { buildPage } from "../packages/page/build-page.ts";
import { type ChartData, chartDataOf } from "../packages/page/charts/chart.ts";
import { submissionOf } from "./machine.ts";

export const INSTRUCTIONS = 1_000;
const TURNS_EACH = 20;
export const TURNS = INSTRUCTIONS * TURNS_EACH;
export const FILES = 2_000;
const PAGE = 1_000;

export const LARGE_RUN = "01M7ZR63C0YXE0KT7F3MTSJJGS";
const AT = "2026-01-01T00:00:00.000Z";

const turnAt = (index: number): TurnRecord => {
  const [instruction, turn] = [Math.floor(index / TURNS_EACH) + 1, (index % TURNS_EACH) + 1];
  const path = `src/part-${(index * 7) % 40}/module-${(index * 31) % FILES}.js`;
  return {
    ...{ instruction, turn, epoch: 1, attempt: 1, segment: 0, state: "committed", at: AT },
    outcome: turn === TURNS_EACH ? "accepted" : "tools",
    ...{ inputTokens: 9_000 + (index % 500) * 10, cachedTokens: 6_000, outputTokens: 700 },
    ...{ microUsd: 900 + (index % 7), milliseconds: 4_000 },
    changes: turn % 2 === 0 ? [{ path, sha256: `${index}`, was: index > FILES ? "0" : null, bytes: 2_000 }] : [],
    read: [path],
    found: turn === TURNS_EACH ? { errors: 0, passed: instruction * 3, failed: 0 } : { errors: index % 3 },
  };
};

const program = {
  instructions: Array.from({ length: INSTRUCTIONS }, (_, index) => ({
    ...{ number: index + 1, kind: "do", status: "accepted", turns: TURNS_EACH, microUsd: 18_000, milliseconds: 80_000 },
    ...{ title: `Make part ${index + 1} of the whole`, text: "Make it, and test it.".repeat(10), unchecked: [] },
    requirements: [`R${(index % 300) + 1}`],
  })),
  requirements: Array.from({ length: 300 }, (_, index) => ({
    id: `R${index + 1}`,
    text: `Do what part ${index} asks`,
  })),
};

const run: Run = {
  ...newRun({ ...(await submissionOf(0)), owner: "local" }, LARGE_RUN, AT),
  ...{ name: "large", title: "A large run", status: "completed", detail: "Completed.", epoch: 1 },
  ...{ instructions: INSTRUCTIONS, pc: INSTRUCTIONS + 1, packed: INSTRUCTIONS, turns: TURNS, events: TURNS },
  ...{ microUsd: TURNS * 903, files: FILES, testsPassed: 3_000, testsTotal: 3_000 },
};

/** All of it, as the charts take it. */
export const largeHistory = (): ChartData =>
  chartDataOf({
    run,
    program: {
      ...program,
      instructions: program.instructions.map((one) => ({ ...one, kind: "do", status: "accepted" })),
    },
    turns: Array.from({ length: TURNS }, (_, index) => turnAt(index)),
  });

export async function serveLargeRun(): Promise<{ url: string; close: () => Promise<void> }> {
  const files = await buildPage();
  const pages: Record<string, [string, string]> = {
    "/": [files["index.html"], "text/html"],
    "/page/main.js": [files["main.js"], "text/javascript"],
    "/page/main.css": [files["main.css"], "text/css"],
  };
  const server = createServer(({ url = "/" }, response) => {
    const { pathname, searchParams } = new URL(url, "http://localhost");
    const [text, type] = pages[pathname] ?? [JSON.stringify(answerTo(pathname, searchParams)), "application/json"];
    send(response, text, type);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function send(response: ServerResponse, text: string, type: string): void {
  response.writeHead(200, { "content-type": `${type}; charset=utf-8` });
  response.end(text);
}

function answerTo(path: string, query: URLSearchParams): unknown {
  const about = path.slice(`/runs/${LARGE_RUN}`.length);
  if (about === "") return run;
  if (about === "/program") return program;
  if (about === "/events") return eventsAfter(Number(query.get("after")));
  if (about === "/turns") return turnsAfter(query.get("after"));
  return { answer: anAnswer, effects: { inputs: anAnswer.inputs, results: [], correction: "", verdicts: [] } };
}

function eventsAfter(after: number) {
  const count = Math.min(PAGE, TURNS - after);
  const events = Array.from({ length: count }, (_, index) => ({
    type: "notice",
    text: "",
    seq: after + index + 1,
    at: AT,
  }));
  return { events, next: after + count, status: "completed", over: after + count === TURNS };
}

function turnsAfter(after: string | null) {
  const [instruction = 1, turn = 0] = (after ?? "1.0").split(".").map(Number);
  const from = (instruction - 1) * TURNS_EACH + turn;
  const turns = Array.from({ length: Math.min(PAGE, TURNS - from) }, (_, index) => turnAt(from + index));
  const last = turns.at(-1);
  return from + PAGE < TURNS && last ? { turns, next: `${last.instruction}.${last.turn}` } : { turns };
}

const anAnswer = {
  inputs: { elision: { views: 0, contents: 0 }, left: "", maxOutputTokens: 1_000 },
  answer: { text: "I look at it first.", toolCalls: [], finish: "stop" },
};
