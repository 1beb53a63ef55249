/** Runs `cdk synth` and reads its output: the template, and the folders of functions and images. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

export interface Assembly {
  stackName: string;
  template: Template;
  /** Of a function's code, by where the template says that it is: the folder. */
  codeFolder(s3Key: string): string;
  /** The folder that an image is built from, by the tag of its URI. */
  imageFolder(imageUri: string): string;
}

export interface Template {
  Parameters?: Record<string, { Type: string; Default?: unknown }>;
  Conditions?: Record<string, unknown>;
  Mappings?: Record<string, unknown>;
  Resources: Record<string, TemplateResource>;
  Outputs?: Record<string, { Value: unknown; Condition?: string }>;
}

export interface TemplateResource {
  Type: string;
  Properties?: Record<string, unknown>;
  Condition?: string;
}

interface Artifact {
  type: string;
  properties?: { templateFile?: string; stackName?: string; file?: string };
}

interface Assets {
  files: Record<string, { source: { path: string }; destinations: Record<string, { objectKey: string }> }>;
  dockerImages: Record<string, { source: { directory: string }; destinations: Record<string, { imageTag: string }> }>;
}

export function readAssembly(folder: string): Assembly {
  const read = <T>(name: string): T => JSON.parse(readFileSync(join(folder, name), "utf8"));
  const artifacts = Object.entries(read<{ artifacts: Record<string, Artifact> }>("manifest.json").artifacts);
  const [id, stack] = onlyOne(artifacts, "aws:cloudformation:stack");
  const [, manifest] = onlyOne(artifacts, "cdk:asset-manifest");
  const { files, dockerImages } = read<Assets>(fileOf(manifest.properties?.file, "asset manifest"));
  return {
    stackName: stack.properties?.stackName ?? id,
    template: read<Template>(fileOf(stack.properties?.templateFile, "template")),
    codeFolder(s3Key) {
      const asset = Object.values(files).find(({ destinations }) =>
        isAt(destinations, ({ objectKey }) => objectKey === s3Key),
      );
      if (!asset) throw new Error(`No asset is published as ${s3Key}.`);
      return join(folder, asset.source.path);
    },
    imageFolder(imageUri) {
      const tag = imageUri.slice(imageUri.lastIndexOf(":") + 1);
      const asset = Object.values(dockerImages).find(({ destinations }) =>
        isAt(destinations, ({ imageTag }) => imageTag === tag),
      );
      if (!asset) throw new Error(`No image is published as ${imageUri}.`);
      return join(folder, asset.source.directory);
    },
  };
}

function onlyOne(artifacts: [string, Artifact][], type: string): [string, Artifact] {
  const [found, ...others] = artifacts.filter(([, artifact]) => artifact.type === type);
  if (!found || others.length > 0) throw new Error(`The assembly has not exactly one ${type}.`);
  return found;
}

function fileOf(name: string | undefined, what: string): string {
  if (name === undefined) throw new Error(`The assembly names no file for its ${what}.`);
  return name;
}

const isAt = <T>(destinations: Record<string, T>, matches: (destination: T) => boolean): boolean =>
  Object.values(destinations).some(matches);

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** `config`: as in `l2mac.cloud.json`; absent: `cdk deploy` without parameters. */
export async function synthesise(into: string, config?: Record<string, unknown>): Promise<string> {
  const context = config === undefined ? [] : ["-c", `l2mac=${JSON.stringify(config)}`];
  const child = spawn(
    process.execPath,
    ["node_modules/aws-cdk/bin/cdk", "synth", "--quiet", "--output", into, ...context],
    { cwd: root, env: { PATH: process.env.PATH ?? "", HOME: into }, stdio: ["ignore", "ignore", "pipe"] },
  );
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
  if (code !== 0) throw new Error(`cdk synth ended with ${code}: ${said}`);
  return into;
}
