/** What the handlers need of the world they run in. Each composition root builds one. */
import type { ReadFont } from "../../packages/book/index.ts";
import type { GitServers } from "../core/git/servers.ts";
import type { Clock, Evaluator, FileStore, Model, ShowProgress } from "../core/ports.ts";
import type { ManifestSigner } from "../core/provenance/signer.ts";
import type { Run } from "../core/run/run.ts";
import type { TurnInputs } from "../core/turn/turn.ts";
import type { TurnAddress } from "../core/turn/turn-address.ts";
import type { Registry } from "../registry/registry.ts";
import type { Recorded } from "./recorded.ts";

export interface Pace {
  /** How long a lane without an instruction waits before it looks again. */
  laneIdleSeconds: number;
  /** How long it holds what the registry says of the cost of a call in flight. */
  riskHoldsMs: number;
}

export interface World {
  registry: Registry;
  files: FileStore;
  clock: Clock;
  random: () => number;
  model: (run: Run) => Promise<Model>;
  evaluator: Evaluator;
  /** Servers of Git repositories. Absent: nothing is fetched or pushed here. */
  git?: GitServers;
  /** For books that are delivered as PDF. */
  readFont: ReadFont;
  /** Signs what is delivered. Absent: it is not signed. */
  signer?: ManifestSigner | undefined;
  /** Of this program. Absent: it is not known here. */
  version?: string | undefined;
  /** The most that all runs of this table may spend together on a UTC date, in US dollars. Absent: no such ceiling. */
  dailyUsd?: number | undefined;
  /** How often what costs a write or a state elsewhere is repeated. Absent: as seldom as on AWS. */
  pace?: Pace;
  /** Shows watchers how much of an answer has arrived; nothing of it is stored. Absent: there is no watcher. */
  showProgress?: (at: TurnAddress & { runId: string }) => ShowProgress;
  /** A replay gives the inputs that were written down; a live run takes those that hold now. */
  inputsFor?: (at: TurnAddress, now: TurnInputs) => TurnInputs;
  /** Absent: the run is not replayed. */
  recorded?: Recorded;
}

/** One invocation of a handler: how long it may still run, and whether it must stop. */
export interface Invocation {
  remainingMs: () => number;
  signal: AbortSignal;
  /** So often in a row the lane that it is of has waited before. Absent: not at all, or it is of no lane. */
  waits?: number;
  /** Where lanes share a process: there may be another instruction for another lane. */
  onTaken?: () => void;
}
