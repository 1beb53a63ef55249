/** Stacks as `cdk deploy` would send them, synthesised with no account, no credentials and no Docker. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App, Validations } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { AwsSolutionsChecks } from "cdk-nag";
import { readCloudConfig } from "../../lib/cloud/config.ts";
import { createComputer } from "../../lib/cloud/stack.ts";

export interface Resource {
  Type: string;
  Properties: Record<string, unknown>;
  DeletionPolicy?: string;
  UpdateReplacePolicy?: string;
}

export interface Acknowledgement {
  path: string;
  id: string;
  reason: string;
}

export interface SynthesisedStack {
  template: Template;
  resources: Record<string, Resource>;
  /** By type, with their logical ids. */
  ofType(type: string): [string, Resource][];
  acknowledged: Acknowledgement[];
}

const { context } = JSON.parse(readFileSync(new URL("../../cdk.json", import.meta.url), "utf8"));

/** What the assets hold is not of interest here: empty ones are quicker. `nag`: cdk-nag looks at it, and throws. */
export function synthesise(
  config: unknown = {},
  { nag = false, buildingOn = "x86_64" as "x86_64" | "arm64" } = {},
): SynthesisedStack {
  const folder = mkdtempSync(join(tmpdir(), "l2mac-synth-"));
  try {
    const assets = join(folder, "assets");
    mkdirSync(assets);
    writeFileSync(join(assets, "Dockerfile"), "FROM scratch\n");
    const app = new App({ context, outdir: join(folder, "cdk.out"), analyticsReporting: false });
    const stack = createComputer(app, {
      config: readCloudConfig([config]),
      codeFolder: assets,
      builderFolder: () => assets,
      imageFolder: () => assets,
      buildingOn,
    });
    if (nag) Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    const template = Template.fromJSON(app.synth().getStackByName(stack.stackName).template);
    const resources: Record<string, Resource> = template.toJSON().Resources;
    const ofType = (type: string) => Object.entries(resources).filter(([, resource]) => resource.Type === type);
    const acknowledged = stack.node.findAll().flatMap(({ node: { path, metadata } }) =>
      metadata
        .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
        .flatMap(({ data }) => Object.entries(data as Record<string, string>))
        // CDK acknowledges some of its own.
        .filter(([id]) => id.includes("AwsSolutions-"))
        .map(([id, reason]) => ({ path, id: id.replace("Annotation::", ""), reason })),
    );
    return { template, resources, ofType, acknowledged };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
