/** The dependencies of the API. Each composition root builds them. */

import type { Resumption } from "../control/lifecycle/resumption.ts";
import type { Submission, Submitted } from "../control/lifecycle/submit.ts";
import type { AnswerUnderway, Clock, FileStore } from "../core/ports.ts";
import type { NamedPrograms } from "../core/program/named-programs.ts";
import type { Draft } from "../core/program/program.ts";
import type { GivenAnswer } from "../core/program/reply.ts";
import type { PromptPack } from "../core/prompt/prompt.ts";
import type { ManifestSigner } from "../core/provenance/signer.ts";
import type { BodyOptions } from "../core/run/option-forms.ts";
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
  /** Signs the manifests of deliveries. Absent: they are not signed. */
  signer?: Pick<ManifestSigner, "publicKey"> | undefined;
  /** Absent: no program is called by name here. */
  programs?: NamedPrograms;
  /** Absent: files must fit into the request. */
  uploads?: Uploads;
  /** Trees that a caller in this process handed over as they are, checked, by the id that a submission names. */
  uploadedTrees?: ReadonlyMap<string, Map<string, Uint8Array>>;
  /** What a model is writing for a run now. Absent: the computations are not in this process. */
  answerUnderway?: (runId: string) => AnswerUnderway | undefined;
  settings: ApiSettings;
  /** Maximum cost of all runs together on one UTC date, in US dollars. */
  dailyUsd?: number | undefined;
  /** Reports unexpected errors to the operator. */
  onFailure: (error: unknown, requestId: string) => void;
}

/** The caller of a request, and the address it used. */
export interface ApiContext {
  /** Owns the runs that it submits, and sees no others. */
  caller: string;
  requestId: string;
  /** Without a trailing slash. */
  baseUrl: string;
  /** Gets the error behind each problem: a caller in this process sees more than an answer may tell. */
  onProblem?: (error: unknown) => void;
}

/** The commands on runs. The server that provides them also computes the runs. */
export interface RunControl {
  submit(submission: Submission): Promise<Submitted>;
  resume(runId: string, resumption: Resumption): Promise<Run>;
  /** Executes the waiting program, or this one instead. */
  approve(runId: string, program?: Draft): Promise<Run>;
  /** Has the model revise the waiting program. */
  revise(runId: string, feedback: string): Promise<Run>;
  /** Answers the question that it waits for; the same answer again changes nothing. */
  answer(runId: string, given: GivenAnswer): Promise<Run>;
  reject(runId: string): Promise<Run>;
  cancel(runId: string): Promise<Run>;
  /** `deleting`: the rest is removed later. */
  remove(runId: string): Promise<"deleted" | "deleting">;
}

/** Creates links with which anyone can fetch one file for a limited time. A path belongs to this server. */
export interface Links {
  get(key: string, options: { seconds: number; fileName: string }): Promise<string>;
}

/** Creates links with which anyone can store one file, once. */
export interface Uploads {
  put(key: string, options: { seconds: number; bytes: number }): Promise<UploadLink>;
}

/** The upload must carry these headers. */
export interface UploadLink {
  url: string;
  headers: Record<string, string>;
}

export interface ApiSettings {
  /** Of this program. Absent: it is not known here. */
  version?: string;
  /** The folder of its runs, where this computer has it. */
  home?: string;
  /** The options of a submission that does not set them. */
  defaults: BodyOptions;
  /** Whether packages are installed before tests. */
  install: boolean;
  /** Maximum time to hold a request for events. */
  longestWaitSeconds: number;
  /** Whether watchers are asked to come again later, where each second of holding a request is charged. */
  isPaced?: boolean;
  /** How often a request that is held looks for events; 250 ms unless set. */
  pollMs?: number;
  /** The largest body that is read; 3 MiB unless set. */
  bodyBytes?: number;
  /** A larger answer is stored and answered with a link to it; 1 MiB unless set. */
  answerBytes?: number;
}
