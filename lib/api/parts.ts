/** What the API needs of the world that serves it. Each composition root builds one. */
import type { Submission, Submitted } from "../control/lifecycle/submit.ts";
import type { Clock, FileStore } from "../core/ports.ts";
import type { Draft } from "../core/program/program.ts";
import type { PromptPack } from "../core/prompt/prompt.ts";
import type { BodyOptions, Budget } from "../core/run/option-forms.ts";
import type { Domain } from "../core/run/options.ts";
import type { Run } from "../core/run/run.ts";
import type { ModelChoice } from "../core/turn/model-choice.ts";
import type { Registry } from "../registry/registry.ts";

export interface ApiParts {
  registry: Registry;
  files: FileStore;
  clock: Clock;
  random: () => number;
  runs: RunControl;
  models: ModelChoice;
  packs: (domain: Domain) => Promise<PromptPack>;
  links: Links;
  /** Absent: what does not fit a request cannot be sent. */
  uploads?: Uploads;
  /** Trees that a caller in this process handed over as they are, checked, by the id that a submission names. */
  uploadedTrees?: ReadonlyMap<string, Map<string, Uint8Array>>;
  settings: ApiSettings;
  /** What all runs may spend together on a UTC date, in US dollars. */
  dailyUsd?: number | undefined;
  /** What should not have happened, for whoever looks after the server. */
  onFailure: (error: unknown, requestId: string) => void;
}

/** Who asks, and under which address. */
export interface ApiContext {
  /** Owner of the runs that are submitted, and the only one who sees them. */
  caller: string;
  requestId: string;
  /** Without a slash at the end. */
  baseUrl: string;
  /** Gets the error behind each problem: a caller in this process sees more than an answer may tell. */
  onProblem?: (error: unknown) => void;
}

/** What people do to runs. Whoever serves the API sees to it that they are computed. */
export interface RunControl {
  submit(submission: Submission): Promise<Submitted>;
  resume(runId: string, budget: Budget): Promise<Run>;
  /** Executes the program that waits, or this one in its place. */
  approve(runId: string, program?: Draft): Promise<Run>;
  reject(runId: string): Promise<Run>;
  cancel(runId: string): Promise<Run>;
  /** `deleting`: what is left goes later. */
  remove(runId: string): Promise<"deleted" | "deleting">;
}

/** Mints links with which anybody can fetch one file for a while. A path is one of the API's own server. */
export interface Links {
  get(key: string, asked: { seconds: number; fileName: string }): Promise<string>;
}

/** Mints links with which anybody can store one file, once. */
export interface Uploads {
  put(key: string, asked: { seconds: number; bytes: number }): Promise<UploadLink>;
}

/** Without these headers the link does not hold. */
export interface UploadLink {
  url: string;
  headers: Record<string, string>;
}

export interface ApiSettings {
  /** The options of a submission that does not set them. */
  defaults: BodyOptions;
  /** Whether packages are installed before tests. */
  install: boolean;
  /** How long a request for events may be held. */
  longestWaitSeconds: number;
  /** How often a request that is held looks for events; 250 ms unless set. */
  pollMs?: number;
  /** The largest body that is read; 3 MiB unless set. */
  bodyBytes?: number;
  /** A larger answer is stored and answered with a link to it; 1 MiB unless set. */
  answerBytes?: number;
}
