/** Simulates the deployment of a synthesised stack: assigns names, resolves references, lays out the functions' code. */
import { cpSync, existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { DeployedResource, Deployment } from "../parts.ts";
import type { Assembly, TemplateResource } from "./assembly.ts";
import { type Names, resolve } from "./intrinsics.ts";
import { type Physical, physicalOf, urlSuffix } from "./physical-resources.ts";

export interface DeploymentTarget {
  partition: string;
  region: string;
  account: string;
  /** A folder from where no packages can be found; the functions' code is copied into it. */
  into: string;
  /** Changes a resource's resolved properties before it is there: a lower limit, for a rehearsal that reaches it. */
  override?: (resource: { logicalId: string; type: string; properties: Properties }) => Properties;
}

type Properties = Readonly<Record<string, unknown>>;

interface Made extends DeployedResource {
  attributes: Record<string, string>;
}

export function deploy(assembly: Assembly, deploying: DeploymentTarget): Deployment {
  const { stackName, template } = assembly;
  const { partition, region, account, into } = deploying;
  assertWithoutPackages(into);
  const made = new Map<string, Made>();
  const underWay: string[] = [];
  const names = namesOf(assembly, deploying, resourceOf);

  /** In whatever order they refer to one another. */
  function resourceOf(logicalId: string): Made | undefined {
    const declared = template.Resources[logicalId];
    if (!declared || made.has(logicalId)) return made.get(logicalId);
    if (underWay.includes(logicalId))
      throw new Error(`These wait for one another: ${[...underWay, logicalId].join(", ")}`);
    underWay.push(logicalId);
    made.set(logicalId, make(logicalId, declared));
    underWay.pop();
    return made.get(logicalId);
  }

  function make(logicalId: string, { Type: type, Properties = {} }: TemplateResource): Made {
    const resolved = resolve(Properties, names) as Properties;
    const properties = deploying.override?.({ logicalId, type, properties: resolved }) ?? resolved;
    const {
      ref,
      arn,
      attributes = {},
    }: Physical = physicalOf({ ...{ logicalId, type, properties }, ...{ stackName, partition, region, account } });
    return { logicalId, type, ref, ...(arn === undefined ? {} : { arn }), properties, attributes };
  }

  const kept = ({ Condition }: { Condition?: string }) => Condition === undefined || names.condition(Condition);
  const wanted = Object.entries(template.Resources).filter(([, resource]) => kept(resource));
  for (const [logicalId] of wanted) resourceOf(logicalId);
  const lay = createLayer(assembly, into);
  const outputs = Object.entries(template.Outputs ?? {}).filter(([, output]) => kept(output));
  return {
    ...{ partition, region, account, stackName },
    resources: Object.fromEntries(wanted.map(([logicalId]) => [logicalId, finished(made.get(logicalId), lay)])),
    outputs: Object.fromEntries(outputs.map(([name, { Value }]) => [name, String(resolve(Value, names))])),
  };
}

/** Node looks for packages on the way up from where the code is: what was not bundled must not be found there. */
function assertWithoutPackages(into: string): void {
  for (let folder = into; ; folder = dirname(folder)) {
    if (existsSync(join(folder, "node_modules")))
      throw new Error(`Packages can be found in ${folder}: deploy into another folder.`);
    if (folder === dirname(folder)) return;
  }
}

function namesOf(
  assembly: Assembly,
  { partition, region, account }: DeploymentTarget,
  resourceOf: (id: string) => Made | undefined,
): Names {
  const { stackName, template } = assembly;
  const pseudo: Record<string, unknown> = {
    "AWS::Partition": partition,
    "AWS::Region": region,
    "AWS::AccountId": account,
    "AWS::URLSuffix": urlSuffix(partition),
    "AWS::StackName": stackName,
    "AWS::NoValue": undefined,
  };
  const names: Names = {
    ref(name) {
      if (Object.hasOwn(pseudo, name)) return pseudo[name];
      const parameter = template.Parameters?.[name];
      if (parameter) return defaultOf(name, parameter.Default);
      const resource = resourceOf(name);
      if (!resource) throw new Error(`Ref names ${name}, which is neither a resource nor a parameter.`);
      return resource.ref;
    },
    getAtt(logicalId, attribute) {
      const resource = resourceOf(logicalId);
      if (!resource) throw new Error(`Fn::GetAtt names ${logicalId}, which is no resource.`);
      const value = attribute === "Arn" ? resource.arn : resource.attributes[attribute];
      if (value === undefined)
        throw new Error(`The attribute ${attribute} of ${resource.type} (${logicalId}) is not known.`);
      return value;
    },
    availabilityZones: (where) => ["a", "b", "c"].map((zone) => `${where}${zone}`),
    condition(name) {
      if (!template.Conditions || !Object.hasOwn(template.Conditions, name))
        throw new Error(`There is no condition ${name}.`);
      return resolve(template.Conditions[name], names) === true;
    },
  };
  return names;
}

function defaultOf(name: string, value: unknown): unknown {
  if (value === undefined) throw new Error(`The parameter ${name} has no default and no value.`);
  return value;
}

/** One folder for each asset: functions share their code as they do on AWS. */
function createLayer(assembly: Assembly, into: string): (s3Key: string) => string {
  return (s3Key) => {
    const folder = join(into, s3Key.replace(/\.zip$/, ""));
    if (!existsSync(folder)) cpSync(assembly.codeFolder(s3Key), folder, { recursive: true });
    return folder;
  };
}

function finished(made: Made | undefined, lay: (s3Key: string) => string): DeployedResource {
  if (!made) throw new Error("A resource was not made.");
  const { attributes: _, ...resource } = made;
  const { S3Key } = (made.properties.Code ?? {}) as { S3Key?: string };
  const isCode = made.type === "AWS::Lambda::Function" && S3Key !== undefined;
  return isCode ? { ...resource, codeFolder: lay(S3Key) } : resource;
}
