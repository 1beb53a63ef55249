/** The control unit with lanes: a Map state, with a script for each of its iterations. */
import { type Answer, answer, controlUnit, DELIVER, EXECUTE, type Play, thrown, WAIT } from "./plays.ts";

const STOP = answer({ next: "stop" });
const planned = (lanes: number) => [answer({ next: "execute", lanes })];

function laned(name: string, scripts: Answer[][], { loopLimit = 1_000, ...more }: LanedOptions = {}): Play {
  const lanes = Object.fromEntries(scripts.map((script, index) => [`execute/${index + 1}`, script]));
  return controlUnit(`with lanes, ${name}`, { plan: planned(scripts.length), ...lanes, ...more }, loopLimit);
}

interface LanedOptions {
  loopLimit?: number;
  plan?: Answer[];
  execute?: Answer[];
}

export const lanePlays: Play[] = [
  laned("delivers when the first one has", [
    [EXECUTE, EXECUTE, DELIVER],
    [EXECUTE, WAIT, STOP],
    [WAIT, WAIT, STOP],
  ]),
  laned("ends where the run is over", [[STOP], [STOP]]),
  laned("waits in the first one", [[WAIT, EXECUTE, WAIT, DELIVER], [STOP]]),
  laned("goes on where another fails", [[EXECUTE, DELIVER], [thrown("L2mac.UserError")], [thrown("A"), STOP]]),
  laned("begins the next epoch when the loops of the first are used up", [[EXECUTE], [WAIT], [STOP]], {
    loopLimit: 7,
    execute: [EXECUTE],
  }),
  laned("has fewer loops for more lanes than loops", [[EXECUTE], [WAIT], [WAIT], [WAIT]], {
    loopLimit: 2,
    execute: [WAIT],
  }),
  laned("has fewer loops after waiting for the plan", [[EXECUTE], [EXECUTE]], {
    loopLimit: 6,
    plan: [WAIT, WAIT, WAIT, ...planned(2)],
    execute: [EXECUTE],
  }),
  laned("retries in each for itself", [
    [thrown("A"), thrown("A"), DELIVER],
    [thrown("A"), thrown("A"), thrown("A"), STOP],
  ]),
  laned("takes unknown answers as the end of a lane", [[EXECUTE, DELIVER], [answer({ next: "dance" })]]),
  { ...laned("fails with the first", [[EXECUTE, thrown("L2mac.UserError")], [STOP]]), races: true },
  { ...laned("fails with an answer that it does not know", [[answer({})], [STOP]]), races: true },
];
