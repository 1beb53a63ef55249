/** Findings before a deployment: account, region, CDK bootstrap, and the evaluator's image. Pure. */
import type { AwsResult } from "./aws-result.ts";
import type { DockerFacts } from "./docker.ts";
import type { Finding } from "./finding.ts";
import type { Architecture, Caller, EvaluatorConfig } from "./target.ts";

export function callerFindings(found: AwsResult<Caller>): Finding[] {
  if ("refusal" in found) {
    const { reason, remedy } = found.refusal;
    return [{ what: "account", state: "missing", says: `${reason}\n${remedy}` }];
  }
  const { account, arn, region } = found.value;
  return [
    { what: "account", state: "ok", says: `${account}, as ${arn}` },
    { what: "region", state: "ok", says: region },
  ];
}

/** The bootstrap version that the stack's synthesizer requires. */
export const BOOTSTRAP_VERSION = 6;

export function bootstrapFinding(version: AwsResult<number | undefined>, caller: Caller): Finding {
  const what = "bootstrap";
  if ("refusal" in version) {
    const { reason, remedy } = version.refusal;
    return { what, state: "missing", says: `the stack CDKToolkit could not be read: ${reason}\n${remedy}` };
  }
  const found = version.value;
  if (found !== undefined && found >= BOOTSTRAP_VERSION)
    return { what, state: "ok", says: `CDKToolkit, version ${found}` };
  const lacks =
    found === undefined
      ? "the account is not bootstrapped for CDK in this region"
      : `CDKToolkit is version ${found}; ${BOOTSTRAP_VERSION} is required`;
  return { what, state: "missing", says: `${lacks}\nnpx cdk bootstrap aws://${caller.account}/${caller.region}` };
}

export interface ImageFacts {
  evaluator: EvaluatorConfig;
  /** Absent: not inspected, since an image is configured. */
  docker: DockerFacts | undefined;
  caller: Caller | undefined;
}

/** Where the image is built; undefined: it is configured. Without Docker, the account builds it. */
export function imageBuild({ image, build }: EvaluatorConfig, docker: DockerFacts | undefined) {
  if (image !== undefined) return undefined;
  return build ?? (docker?.missing === undefined ? "docker" : "codebuild");
}

/** Either an image is configured, or this computer or the account builds one. */
export function imageFindings({ evaluator, docker, caller }: ImageFacts): Finding[] {
  if (evaluator.image !== undefined) return configuredImage(evaluator.image, evaluator.architecture, caller);
  if (!docker) return [];
  if (imageBuild(evaluator, docker) === "codebuild") return [builtInAccount(evaluator, docker)];
  const what = "docker";
  if (docker.missing !== undefined) return [{ what, state: "missing", says: `Docker ${docker.missing}. ${INSTEAD}` }];
  const wanted = evaluator.architecture ?? docker.here;
  if (!docker.builds) {
    return [{ what, state: "note", says: `does not report the architectures it builds for; ${wanted} is required` }];
  }
  if (docker.builds.includes(wanted)) return [{ what, state: "ok", says: `builds the image for ${wanted}` }];
  return [
    {
      what,
      state: "note",
      says: `builds for ${docker.builds.join(", ")}, but the function is ${wanted}: expect "exec format error"\n${EMULATION}`,
    },
  ];
}

function builtInAccount({ build, architecture }: EvaluatorConfig, { missing, here }: DockerFacts): Finding {
  const why = build === undefined && missing !== undefined ? `Docker ${missing}, so ` : "";
  const says = `${why}CodeBuild builds it for ${architecture ?? here} in the account, if it changed: some minutes, and cents`;
  return { what: "image", state: "ok", says };
}

const INSTEAD =
  'Start or install it, remove "evaluator.build" so that CodeBuild builds the image, or build it elsewhere: docs/deploy.md#on-another-computer';

const EMULATION =
  'docker run --privileged --rm tonistiigi/binfmt --install all   (or remove "evaluator.architecture" from l2mac.cloud.json)';

function configuredImage(image: string, architecture: Architecture | undefined, caller: Caller | undefined): Finding[] {
  const [, account = "", region = ""] = /^(\d{12})\.dkr\.ecr\.([^.]+)\./.exec(image) ?? [];
  if (caller && region !== caller.region) {
    const says = `${image} is in ${region}; Lambda can load it only from ${caller.region}\nPush it to a repository there, and configure that one.`;
    return [{ what: "image", state: "missing", says }];
  }
  const foreign =
    caller && account !== caller.account
      ? `; it belongs to account ${account}, whose repository must allow lambda.amazonaws.com to pull it`
      : "";
  const unknown =
    architecture === undefined ? '; set "evaluator.architecture" to the architecture it was built for' : "";
  return [{ what: "image", state: foreign || unknown ? "note" : "ok", says: `${image}${foreign}${unknown}` }];
}
