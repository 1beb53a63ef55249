/** What cdk synthesised: what it needs of the account, and what it would make. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const Manifest = z.object({
  artifacts: z.record(
    z.string(),
    z.object({ properties: z.object({ requiresBootstrapStackVersion: z.number().optional() }).optional() }),
  ),
});
const Template = z.object({ Resources: z.record(z.string(), z.object({ Type: z.string() })) });

export interface Assembly {
  /** The least version of the bootstrap stack that deploys it. */
  needsBootstrap: number;
  /** How many of each type. */
  types: Map<string, number>;
}

export function readAssembly(folder: string, stackName: string): Assembly {
  const json = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), "utf8"));
  const { artifacts } = Manifest.parse(json("manifest.json"));
  const needed = Object.values(artifacts).map(({ properties }) => properties?.requiresBootstrapStackVersion ?? 0);
  const types = new Map<string, number>();
  for (const { Type } of Object.values(Template.parse(json(`${stackName}.template.json`)).Resources)) {
    types.set(Type, (types.get(Type) ?? 0) + 1);
  }
  return { needsBootstrap: Math.max(0, ...needed), types };
}
