/** Opens the machine of this computer, with its models and its sandbox: where the command and the library begin. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Evaluator } from "../core/ports.ts";
import { createCache } from "./cache.ts";
import { type Machine, type MachineParts, openMachine } from "./machine.ts";
import { bytesOf, type LocalEvaluator, openEvaluator } from "./open-evaluator.ts";
import { type ModelWish, openModel } from "./open-model.ts";

export interface LocalParts {
  home: string;
  env: Readonly<Record<string, string | undefined>>;
  /** What takes its time, in words: packages that are installed. */
  announce?: (text: string) => void;
  apiKey?: string | undefined;
  /** Where the model server is now; absent: where each run says. */
  baseUrl?: string | undefined;
  /** The most that all runs of this home may spend together on a UTC date. */
  dailyUsd?: number | undefined;
}

export interface LocalMachine extends Machine {
  /** Whether generated code is kept from everything else on this computer. */
  sealed(): LocalEvaluator["sealed"];
}

export function openLocalMachine({ home, env, announce = () => {}, dailyUsd, ...server }: LocalParts): LocalMachine {
  let opened: LocalEvaluator | undefined;
  // Trying out what seals takes a moment, and most commands evaluate nothing.
  const local = (): LocalEvaluator => {
    opened ??= openEvaluator({ home, env, announce });
    return opened;
  };
  const evaluator: Evaluator = { evaluate: (request, signal) => local().evaluator.evaluate(request, signal) };
  const wish: ModelWish = server;
  const forget = (runId: string): Promise<void> =>
    rm(join(home, "cache", "trees", runId), { recursive: true, force: true });
  const cache = createCache({ home, now: Date.now, bytesOf });
  // What cannot be cleaned now is cleaned another time: that stops nobody.
  const tidy: MachineParts["tidy"] = (isNeeded) => cache.tidy(isNeeded).catch(() => {});
  const machine = openMachine({ home, model: (run) => openModel(run, wish), evaluator, dailyUsd, forget, tidy });
  return { ...machine, sealed: () => local().sealed };
}
