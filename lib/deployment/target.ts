/** Where and how a stack is deployed: configuration, region and profile, caller; and the SDK settings for asking AWS there. */
import { defined } from "../core/defined.ts";

export interface DeploymentConfig {
  stackName: string;
  keepData: boolean;
  model?: string | undefined;
  reservedConcurrency: { execute?: number | undefined; evaluator?: number | undefined; api?: number | undefined };
  evaluator: EvaluatorConfig;
}

export interface EvaluatorConfig {
  vpc: boolean;
  noDns: boolean;
  denyRole: boolean;
  tenants: boolean;
  /** Absent: the architecture of the computer that builds the image. */
  architecture?: Architecture | undefined;
  image?: string | undefined;
  build?: "docker" | "codebuild" | undefined;
}

export type Architecture = "arm64" | "x86_64";

/** Absent: as the AWS tools find them. */
export interface Target {
  region?: string | undefined;
  profile?: string | undefined;
}

/** The caller's identity, with the region of the target. */
export interface Caller {
  account: string;
  arn: string;
  region: string;
}

const CONNECTION_MS = 5_000;
const ANSWER_MS = 15_000;
const ATTEMPTS = 4;

/** Short time-outs: a person waits for the answer. */
export const clientConfig = ({ region, profile }: Target) => ({
  ...defined({ region, profile }),
  maxAttempts: ATTEMPTS,
  requestHandler: { connectionTimeout: CONNECTION_MS, requestTimeout: ANSWER_MS, throwOnRequestTimeout: true },
});
