/** The CDK app: bundles the functions, lays out the evaluator's image, and describes the stack. Needs no account. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App } from "aws-cdk-lib";
import { bundleFunctions } from "../lib/cloud/bundle.ts";
import { readCloudConfig } from "../lib/cloud/config.ts";
import { configWarnings } from "../lib/cloud/configuration/warnings.ts";
import { layEvaluatorImage, layImageBuilder } from "../lib/cloud/evaluator-image.ts";
import { createComputer } from "../lib/cloud/stack.ts";
import { UserError } from "../lib/core/errors.ts";
import { remedyText } from "../lib/core/text/command-line.ts";
import { projectFile } from "../lib/files/project-files.ts";
import { bedrockModelIn } from "../lib/model/default-model.ts";
import { isKnownModel } from "../lib/model/known-models.ts";

const own = projectFile("l2mac.cloud.json");
const built = mkdtempSync(join(tmpdir(), "l2mac-cdk-"));
try {
  const app = new App();
  const region = process.env.CDK_DEFAULT_REGION;
  const config = readCloudConfig(
    [existsSync(own) ? readFileSync(own, "utf8") : undefined, app.node.tryGetContext("l2mac")],
    { region },
  );
  for (const warning of configWarnings(config, { region, isKnown: isKnownModel, ownModel: bedrockModelIn(region) }))
    console.error(`Note: ${warning}`);
  createComputer(app, {
    config,
    ownModel: bedrockModelIn(region),
    codeFolder: bundleFunctions(join(built, "functions")).folder,
    builderFolder: () => layImageBuilder(join(built, "builder")),
    imageFolder: () => layEvaluatorImage(join(built, "image")),
    buildingOn: process.arch === "arm64" ? "arm64" : "x86_64",
  });
  app.synth();
} catch (error) {
  // What is the project's fault keeps its trace.
  if (!(error instanceof UserError)) throw error;
  console.error(error.message + (error.remedy ? `\nNext: ${remedyText(error.remedy, "npx l2mac")}` : ""));
  process.exitCode = 1;
} finally {
  // What is deployed was copied into cdk.out.
  rmSync(built, { recursive: true, force: true });
}
