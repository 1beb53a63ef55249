/** What a project's package.json says, read as the untrusted text that it is. */
import * as z from "zod";
import type { ProjectEnvironment } from "../../language.ts";
import { readManifestText } from "../../packages/manifest-text.ts";
import type { Tree } from "../../tree.ts";

const names = z.record(z.string(), z.string()).catch({});
const Manifest = z
  .object({
    scripts: names,
    dependencies: names,
    devDependencies: names,
    optionalDependencies: names,
    peerDependencies: names,
  })
  .catch({ scripts: {}, dependencies: {}, devDependencies: {}, optionalDependencies: {}, peerDependencies: {} });
export type Manifest = z.infer<typeof Manifest>;

export async function readManifest(tree: Tree): Promise<Manifest> {
  if (!tree.files.includes("package.json")) return Manifest.parse(undefined);
  return parseManifest((await readManifestText(tree.folder, "package.json")).text ?? "");
}

export function parseManifest(text: string): Manifest {
  try {
    return Manifest.parse(JSON.parse(text.replace(/^\ufeff/, "")));
  } catch {
    return Manifest.parse(undefined);
  }
}

/** The packages that were installed for the manifest of this folder. */
export const nodeModulesOf = (environment: ProjectEnvironment | undefined, below = ""): string | undefined =>
  environment?.nodeModules.find((one) => one.below === below)?.folder;

/** Every package that the project asks for, with the version it wants. */
export const declaredPackages = (manifest: Manifest): Record<string, string> => ({
  ...manifest.peerDependencies,
  ...manifest.optionalDependencies,
  ...manifest.devDependencies,
  ...manifest.dependencies,
});

/** True of a package that the project declares and that is not there all the same. */
export function unavailablePackages(
  tree: Tree,
  manifest: Manifest,
  environment?: ProjectEnvironment,
): (name: string) => boolean {
  const declared = declaredPackages(manifest);
  const own = new Set(tree.files.flatMap((path) => path.replace(/\.[cm]?[jt]sx?$/, "").split("/")));
  const unsure = environment !== undefined && environment.missing.length > 0;
  return (name) => !own.has(name) && (unsure || Object.hasOwn(declared, name));
}
