/** Builds the evaluator's image while CloudFormation waits: starts the build and watches it until it ends. */
import * as z from "zod";
import { messageOf } from "../../lib/core/errors.ts";
import type { Clock } from "../../lib/core/ports.ts";
import type { ResourceAnswer, ResourceRequest } from "./custom-resource.ts";

export interface Build {
  state: "running" | "succeeded" | "failed";
  /** The phase that failed, and what CodeBuild says about it. */
  phase?: string | undefined;
  message?: string | undefined;
  /** The page of its log. */
  log?: string | undefined;
}

export interface ImageBuilds {
  /** Answers the build's id. */
  start(project: string): Promise<string>;
  find(id: string): Promise<Build>;
}

export interface BuildImageParts {
  builds: ImageBuilds;
  clock: Clock;
  /** Of the invocation. */
  remainingMs: () => number;
}

/** `image`: the tag that is built; the build itself knows it. */
const Properties = z.object({ project: z.string(), image: z.string() });

const PAUSE_MS = 5_000;
/** Kept for the answer. */
const RESERVE_MS = 30_000;

export async function buildImage(asked: ResourceRequest, parts: BuildImageParts): Promise<ResourceAnswer> {
  // The repository is deleted with its images.
  if (asked.RequestType === "Delete") return {};
  try {
    const { project } = Properties.parse(asked.ResourceProperties);
    const ended = await follow(await parts.builds.start(project), parts);
    return ended.state === "succeeded" ? {} : { problem: problemOf(ended) };
  } catch (error) {
    const what = error instanceof Error ? `${error.name}: ${messageOf(error)}` : messageOf(error);
    return { problem: `The build of the evaluator's image could not be started or watched: ${what}` };
  }
}

async function follow(id: string, { builds, clock, remainingMs }: BuildImageParts): Promise<Build> {
  for (;;) {
    const build = await builds.find(id);
    if (build.state !== "running" || remainingMs() < RESERVE_MS + PAUSE_MS) return build;
    await clock.sleep(PAUSE_MS);
  }
}

const withoutFullStop = (text: string): string => {
  const end = text.trimEnd();
  return end.endsWith(".") ? end.slice(0, -1) : end;
};

function problemOf({ state, phase, message, log }: Build): string {
  const what = state === "running" ? "takes too long" : `failed${phase === undefined ? "" : ` in the phase ${phase}`}`;
  return [
    `The build of the evaluator's image ${what}${message ? `: ${withoutFullStop(message)}` : ""}.`,
    ...(log === undefined ? [] : [`Its log: ${log}`]),
  ].join(" ");
}
