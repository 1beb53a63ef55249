/** Which environments of the cache live processes use: a file for each, which names the process. */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import type { Processes } from "../host/process-identity.ts";
import { changedAt, jsonIn, namesIn, writeAt } from "./cache-files.ts";

export interface Claims {
  make(name: string): void;
  /** The names that live processes use. */
  live(): Set<string>;
}

/** Renewed at each use. No evaluation takes as long, so a server that runs for weeks does not keep claims. */
const CLAIM_MS = 2 * 3_600_000;
const Claim = z.object({ pid: z.number(), started: z.string() });

export function createClaims(folder: string, { now, processes }: { now: () => number; processes: Processes }): Claims {
  const own = processes.self();
  return {
    make(name) {
      mkdirSync(folder, { recursive: true });
      writeAt(join(folder, `${name}@${own.pid}`), JSON.stringify(own), now());
    },
    live() {
      const live = new Set<string>();
      for (const file of namesIn(folder)) {
        const claim = Claim.safeParse(jsonIn(join(folder, file))).data;
        const isFresh = Math.abs(now() - changedAt(join(folder, file))) < CLAIM_MS;
        if (claim && isFresh && processes.isAlive(claim)) live.add(file.slice(0, file.lastIndexOf("@")));
        else rmSync(join(folder, file), { force: true });
      }
      return live;
    },
  };
}
