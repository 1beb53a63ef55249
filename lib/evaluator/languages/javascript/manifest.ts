/** What a project's package.json says, read as the untrusted text that it is. */
import * as z from "zod";
import type { ProjectEnvironment } from "../../language.ts";
import { readManifestText } from "../../packages/manifest-text.ts";
import type { Tree } from "../../tree.ts";

const names = z.record(z.string(), z.string()).catch({});
const word = z.string().max(200).optional().catch(undefined);
const patterns = z.array(z.string().max(500)).max(100);
const Manifest = z
  .object({
    name: word,
    version: word,
    bin: z
      .union([z.string().max(500), z.record(z.string(), z.string().max(500))])
      .optional()
      .catch(undefined),
    scripts: names,
    dependencies: names,
    devDependencies: names,
    optionalDependencies: names,
    peerDependencies: names,
    workspaces: z
      .union([patterns, z.object({ packages: patterns }).transform(({ packages }) => packages)])
      .optional()
      .catch(undefined),
  })
  .catch({ scripts: {}, dependencies: {}, devDependencies: {}, optionalDependencies: {}, peerDependencies: {} });
export type Manifest = z.infer<typeof Manifest>;

/** Of the package in this folder of the tree; "" is the tree's own. */
export async function readManifest(tree: Tree, below = ""): Promise<Manifest> {
  const path = below === "" ? "package.json" : `${below}/package.json`;
  if (!tree.files.includes(path)) return Manifest.parse(undefined);
  return parseManifest((await readManifestText(tree.folder, path)).text ?? "");
}

function parseManifest(text: string): Manifest {
  try {
    return Manifest.parse(JSON.parse(text.replace(/^\ufeff/, "")));
  } catch {
    return Manifest.parse(undefined);
  }
}

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
  packages: { manifest: Manifest }[],
  environment?: ProjectEnvironment,
): (name: string) => boolean {
  const declared = Object.assign({}, ...packages.map(({ manifest }) => declaredPackages(manifest)));
  const own = new Set(tree.files.flatMap((path) => path.replace(/\.[cm]?[jt]sx?$/, "").split("/")));
  // Each as `name@version: why`.
  const missing = new Set(environment?.missing.map((one) => one.replace(/^(@?[^@\s:]+).*$/s, "$1")));
  return (name) => !own.has(name) && (missing.has(name) || Object.hasOwn(declared, name));
}
