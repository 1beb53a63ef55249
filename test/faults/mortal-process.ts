/** A process of the played cloud: it works through its own view of the storage, and can be killed, frozen or refused there. */
import type { Clock } from "../../lib/core/ports.ts";
import type { Storage } from "../../lib/local/machine.ts";
import { wrapStorage } from "../doubles/wrapped-storage.ts";
import type { Disturbance, Strike } from "./disturbance.ts";
import type { Stall } from "./fault.ts";
import type { Watched, Writer } from "./watched-storage.ts";

export interface MortalProcess extends Storage {
  /** Rejects when the process is killed; otherwise it never settles. */
  death: Promise<never>;
}

export interface Surroundings {
  watched: Watched;
  disturbance: Disturbance;
  clock: Clock;
  /** What others do to the run at this very moment. `lane`: the process works in it, if not in the first. */
  interfere: (strike: Extract<Strike, { kind: "expire" | "cancel" }>, lane: number | undefined) => Promise<void>;
  onDeath: () => void;
  /** It freezes at this of its own calls. */
  stall?: Stall | undefined;
}

/** As Lambda names a process that is gone. */
export class Killed extends Error {
  override readonly name = "Lambda.Unknown";
}
class Throttled extends Error {
  override readonly name = "ThrottlingException";
}
class Failed extends Error {
  override readonly name = "InternalServerError";
}

export function createMortalProcess(surroundings: Surroundings): MortalProcess {
  const { watched, disturbance, clock, interfere, onDeath, stall } = surroundings;
  const writer: Writer = { claims: new Map() };
  const { promise: death, reject } = Promise.withResolvers<never>();
  death.catch(() => {});
  let dead = false;
  let calls = 0;
  const silence = new Promise<never>(() => {});

  function die(): Promise<never> {
    dead = true;
    onDeath();
    reject(new Killed("The process was killed."));
    return silence;
  }

  const mortal =
    <Given extends unknown[], Answer>(call: (...given: Given) => Promise<Answer>) =>
    async (...given: Given): Promise<Answer> => {
      if (dead) return silence;
      calls += 1;
      if (calls === stall?.call) await clock.sleep(stall.minutes * 60_000);
      const strikes = disturbance.nextCall();
      for (const strike of strikes) {
        if (strike.kind === "throttled") throw new Throttled("Slow down.");
        if (strike.kind === "freeze") await clock.sleep(strike.minutes * 60_000);
        if (strike.kind === "expire" || strike.kind === "cancel") await interfere(strike, laneOf(writer));
        if (strike.kind === "kill" && strike.when === "before") return die();
        if (strike.kind === "fail" && strike.when === "before") throw new Failed("Nothing was done.");
      }
      const answer = await call(...given);
      for (const strike of strikes) {
        if (strike.kind === "kill") return die();
        if (strike.kind === "fail") throw new Failed("It was done, but its answer was lost.");
      }
      return dead ? silence : answer;
    };

  return { death, ...wrapStorage(watched.as(writer), mortal) };
}

function laneOf({ claims }: Writer): number | undefined {
  const [, lane] = /^LANE#(\d+)$/.exec([...claims.keys()].at(-1) ?? "") ?? [];
  return lane === undefined ? undefined : Number(lane);
}
