/** What this room needs to know of a deployment's configuration, and of where it is deployed. */
export interface Chosen {
  stackName: string;
  keepData: boolean;
  model?: string | undefined;
  reservedConcurrency: { execute?: number | undefined; evaluator?: number | undefined };
  evaluator: EvaluatorChosen;
}

export interface EvaluatorChosen {
  vpc: boolean;
  noDns: boolean;
  denyRole: boolean;
  tenants: boolean;
  /** Absent: as the computer that builds the image. */
  architecture?: Architecture | undefined;
  image?: string | undefined;
}

export type Architecture = "arm64" | "x86_64";

/** Absent: as the AWS tools find them. */
export interface Place {
  region?: string | undefined;
  profile?: string | undefined;
}

/** Where all answers come from, once it is known. */
export interface Caller {
  account: string;
  arn: string;
  region: string;
}
