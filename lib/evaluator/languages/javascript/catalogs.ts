/** Versions that a workspace keeps in one place for all its packages: `catalog:` of pnpm and Bun. */
import * as z from "zod";
import { readManifestText } from "../../packages/manifest-text.ts";
import type { Tree } from "../../tree.ts";
import { objectIn } from "./node-requirements.ts";
import { readYaml } from "./yaml-manifest.ts";

const versions = z.record(z.string(), z.string());
const Catalogs = z.object({ catalog: versions.optional(), catalogs: z.record(z.string(), versions).optional() });
/** By name; that without a name is `default`. */
export type Catalogs = ReadonlyMap<string, Record<string, string>>;

/** `below`: the folder of the workspace. */
export async function readCatalogs({ folder, files }: Tree, below: string): Promise<Catalogs> {
  const read = async (name: string): Promise<string> => {
    const path = below === "" ? name : `${below}/${name}`;
    return files.includes(path) ? ((await readManifestText(folder, path)).text ?? "") : "";
  };
  const manifest = objectIn(await read("package.json"));
  const found = [readYaml(await read("pnpm-workspace.yaml")), manifest?.workspaces, manifest];
  return new Map(
    found.toReversed().flatMap((value) => {
      const { catalog, catalogs } = Catalogs.safeParse(value).data ?? {};
      return [...(catalog ? [["default", catalog] as const] : []), ...Object.entries(catalogs ?? {})];
    }),
  );
}
