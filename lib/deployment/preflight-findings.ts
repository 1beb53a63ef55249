/** Findings before a deployment: whose account, where, and whether the evaluator's image can be had. Pure. */
import type { BuildFacts } from "./building.ts";
import type { Architecture, Caller, Chosen } from "./chosen.ts";
import type { Finding } from "./finding.ts";
import type { Told } from "./told.ts";

export function callerFindings(asked: Told<Caller>): Finding[] {
  if ("refusal" in asked) {
    const { says, remedy } = asked.refusal;
    return [{ what: /no region/.test(says) ? "region" : "account", state: "missing", says: `${says}\n${remedy}` }];
  }
  const { account, arn, region } = asked.told;
  return [
    { what: "account", state: "ok", says: `${account}, as ${arn}` },
    { what: "region", state: "ok", says: region },
  ];
}

export interface BootstrapAsked {
  version: Told<number | undefined>;
  needed: number;
  caller: Caller;
}

export function bootstrapFinding({ version, needed, caller }: BootstrapAsked): Finding {
  const what = "bootstrap";
  if ("refusal" in version) {
    const { says, remedy } = version.refusal;
    return { what, state: "missing", says: `CDKToolkit could not be looked at: ${says}\n${remedy}` };
  }
  const found = version.told;
  if (found !== undefined && found >= needed) return { what, state: "ok", says: `CDKToolkit, version ${found}` };
  const lacks =
    found === undefined
      ? "CDK was never prepared in this account and region"
      : `CDKToolkit is version ${found}, and ${needed} is needed`;
  return { what, state: "missing", says: `${lacks}\n${bootstrapCommand(caller)}` };
}

export const bootstrapCommand = ({ account, region }: Caller): string => `npx cdk bootstrap aws://${account}/${region}`;

export interface ImageAsked {
  chosen: Chosen["evaluator"];
  /** Absent: nobody looked, as an image is given. */
  build: BuildFacts | undefined;
  caller: Caller | undefined;
}

/** Either an image is given, or this computer builds one. */
export function imageFindings({ chosen, build, caller }: ImageAsked): Finding[] {
  if (chosen.image !== undefined) return givenImage(chosen.image, chosen.architecture, caller);
  if (!build) return [];
  if (build.missing !== undefined) return [{ what: "docker", state: "missing", says: withoutDocker(build, caller) }];
  const wanted = chosen.architecture ?? build.here;
  if (!build.builds) {
    return [
      { what: "docker", state: "note", says: `does not say for which processors it builds; ${wanted} is needed` },
    ];
  }
  if (build.builds.includes(wanted)) return [{ what: "docker", state: "ok", says: `builds the image for ${wanted}` }];
  return [
    {
      what: "docker",
      state: "note",
      says: `builds for ${build.builds.join(", ")}, and the function is to be ${wanted}: expect "exec format error"\n${EMULATION}`,
    },
  ];
}

const EMULATION =
  'docker run --privileged --rm tonistiigi/binfmt --install all   (or leave "evaluator.architecture" out of l2mac.cloud.json)';

function givenImage(image: string, architecture: Architecture | undefined, caller: Caller | undefined): Finding[] {
  const [, account = "", region = ""] = /^(\d{12})\.dkr\.ecr\.([^.]+)\./.exec(image) ?? [];
  if (caller && region !== caller.region) {
    const says = `${image} lies in ${region}; Lambda takes it from ${caller.region} only\nPush it to a repository there, and name that one.`;
    return [{ what: "image", state: "missing", says }];
  }
  const foreign =
    caller && account !== caller.account
      ? `; it is of account ${account}, whose repository must let lambda.amazonaws.com fetch it`
      : "";
  const unsaid =
    architecture === undefined ? '; "evaluator.architecture" does not say for which processor it was built' : "";
  return [{ what: "image", state: foreign || unsaid ? "note" : "ok", says: `${image}${foreign}${unsaid}` }];
}

/** What to type where an image can be built, and then here. */
function withoutDocker({ missing, here }: BuildFacts, caller: Caller | undefined): string {
  const { account = "ACCOUNT", region = "REGION" } = caller ?? {};
  const registry = `${account}.dkr.ecr.${region}.amazonaws.com`;
  const platform = here === "arm64" ? "linux/arm64" : "linux/amd64";
  return [
    `Docker ${missing}, and the evaluator's image has to be built. Start or install it; or, on a computer that has it:`,
    "OUT=$(mktemp -d) && npx cdk synth --quiet --output $OUT   # in a clone; lays the image's folder out",
    `aws ecr create-repository --repository-name l2mac --region ${region}`,
    `aws ecr get-login-password --region ${region} | docker login --username AWS --password-stdin ${registry}`,
    `docker buildx build --platform ${platform} --provenance=false --sbom=false --push -t ${registry}/l2mac:evaluator "$(dirname $OUT/asset.*/Dockerfile)"`,
    `then here: npx l2mac deploy --evaluator-image ${registry}/l2mac:evaluator`,
  ].join("\n");
}
