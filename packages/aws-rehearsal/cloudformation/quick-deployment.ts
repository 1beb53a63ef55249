/** A simulated deployment without code, for tests that need names and policies only. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { synthesise } from "../../../test/cloud/synthesised.ts";
import type { DeployedResource, Deployment } from "../parts.ts";
import type { Template } from "./assembly.ts";
import { deploy } from "./deploy.ts";

export const PLACE = { partition: "aws", region: "eu-central-1", account: "111122223333" } as const;

export function deployQuickly(config: unknown = {}): Deployment {
  const into = mkdtempSync(join(tmpdir(), "l2mac-quick-"));
  const template = synthesise(config).template.toJSON() as Template;
  const empty = join(into, "empty");
  mkdirSync(empty);
  const assembly = { stackName: "L2mac", template, codeFolder: () => empty, imageFolder: () => empty };
  try {
    return deploy(assembly, { ...PLACE, into });
  } finally {
    rmSync(into, { recursive: true, force: true });
  }
}

/** The one of its type whose logical id begins so. */
export function resourceIn({ resources }: Deployment, type: string, begins = ""): DeployedResource {
  const found = Object.values(resources).filter((each) => each.type === type && each.logicalId.startsWith(begins));
  const [first] = found.toSorted((one, other) => one.logicalId.length - other.logicalId.length);
  if (!first) throw new Error(`There is no ${type} that begins with ${begins}.`);
  return first;
}
