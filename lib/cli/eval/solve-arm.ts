/** Computes a case in an arm: by the machine, by looking at what it sends, or as one conversation without it. */

import {
  ARMS,
  type ArmEvent,
  type Attempt,
  type EvalCase,
  retainedIn,
  type Solve,
  type SolvedCase,
  SUMMARY_TOKENS,
} from "../../../packages/eval/index.ts";
import { ModelError } from "../../core/errors.ts";
import { type ChatLedger, ChatStopped, chatName, chatPath, openChatLedger, spentIn } from "./chat-ledger.ts";
import type { ChatModel } from "./chat-model.ts";
import { recordRun } from "./record-run.ts";
import type { SolvingParts } from "./solve-case.ts";

export interface ArmSolving extends Pick<SolvingParts, "settings" | "shell"> {
  /** Of the results. */
  folder: string;
  /** Solves a case as a run. */
  solve: Solve;
  openModel: () => Promise<ChatModel>;
}

export const createArmSolve =
  (parts: ArmSolving): Solve =>
  async (attempt) => {
    const { arm = "l2mac", retention } = attempt.each;
    if (arm === "l2mac" && !retention) return parts.solve(attempt);
    const run = chatName(attempt.each.id, attempt.seed);
    if (attempt.run === undefined) await attempt.onStarted(run);
    const ledger = await openedLedger(parts, attempt, run);
    try {
      const files = await answersOf(attempt.each, ledger);
      return { ...endOfChat(run, ledger), files };
    } catch (error) {
      if (error instanceof ChatStopped) return { ...endOfChat(run, ledger), stopped: error.reason };
      if (!(error instanceof ModelError)) throw error;
      return { ...endOfChat(run, ledger), status: "failed", reason: error.kind };
    }
  };

async function openedLedger(parts: ArmSolving, { seed, budgetUsd }: Attempt, run: string): Promise<ChatLedger> {
  const { effort, stream } = parts.settings;
  const stop = new AbortController();
  parts.shell.signals.onStop(() => stop.abort());
  return openChatLedger({
    path: chatPath(parts.folder, run),
    ...(await parts.openModel()),
    budgetUsd,
    signal: stop.signal,
    settings: { seed, ...(effort ? { effort } : {}), ...(stream === false ? { stream } : {}) },
  });
}

/** As far as it is paid for. */
function endOfChat(run: string, ledger: ChatLedger): SolvedCase {
  const lines = ledger.lines();
  const sum = (value: (line: (typeof lines)[number]) => number): number =>
    lines.reduce((all, line) => all + value(line), 0);
  return {
    run,
    status: "completed",
    files: new Map<string, Uint8Array>(),
    models: [...new Set(lines.flatMap(({ model }) => (model === "" ? [] : [model])))].sort(),
    usd: spentIn(lines),
    seconds: sum(({ milliseconds }) => milliseconds) / 1000,
    turns: lines.length,
    inputTokens: sum((line) => line.inputTokens),
    outputTokens: sum((line) => line.outputTokens),
  };
}

async function answersOf(each: EvalCase, ledger: ChatLedger): Promise<SolvedCase["files"]> {
  const { arm = "l2mac", retention } = each;
  const summarise = (text: string): Promise<string> => ledger.ask(SUMMARISES, `${text}\n\n${SUMMARISE}`);
  if (retention) {
    const contexts = ARMS[arm]({ events: await recordRun(retention), summarise });
    return asAnswers(JSON.stringify(await retainedIn(contexts, retention.requirements)));
  }
  let said = "";
  for await (const { text } of ARMS[arm]({ events: chatOf(each), summarise }))
    said = await ledger.ask(GOES_ON, `${text}${ANSWER}`);
  return asAnswers(said.slice(said.indexOf("{"), said.lastIndexOf("}") + 1));
}

const asAnswers = (text: string): SolvedCase["files"] => new Map([["answers.json", new TextEncoder().encode(text)]]);

/** The task, all notes, and the task again: more than a chat client would do. */
function* chatOf({ task, given = {} }: EvalCase): Generator<ArmEvent> {
  yield { kind: "message", text: task };
  for (const [path, content] of Object.entries(given))
    for (let at = 0; at < content.length; at += MESSAGE_CHARS)
      yield { kind: "message", text: `${path}:\n${content.slice(at, at + MESSAGE_CHARS)}` };
  yield { kind: "message", text: task };
  yield { kind: "request", instruction: 1 };
}

/** About 2,000 tokens. */
const MESSAGE_CHARS = 6_000;

const GOES_ON = "You go on with the conversation that the user shows, in which text was cut or summarised to fit.";
const ANSWER = "Answer with the content of answers.json, a JSON object, and nothing else.";
const SUMMARISES =
  "You replace a conversation by a summary, from which alone it goes on. Keep what is still needed: requirements and facts word for word.";
const SUMMARISE = `Write the summary of this conversation, in at most ${Math.floor(SUMMARY_TOKENS / 2)} words, and nothing else.`;
