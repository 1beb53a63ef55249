/** Bundles the functions' code with everything it needs: what is deployed finds no packages where it runs. */
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { buildSync } from "esbuild";
import { projectFile } from "../files/project-files.ts";

export interface Bundle {
  /** The folder to deploy. */
  folder: string;
  /** Beside it, for people: what a line of the bundle was before. */
  sourceMaps: string;
}

/** `entry` is a path from the top folder. `split`: what is imported late is loaded late, from files of its own. */
export function bundle(asked: { entry: string; name: string; split?: boolean }, into: string): Bundle {
  const { entry, name, split = false } = asked;
  const folder = join(into, "code");
  mkdirSync(folder, { recursive: true });
  const { outputFiles } = buildSync({
    absWorkingDir: projectFile("."),
    entryPoints: [{ in: entry, out: name }],
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    splitting: split,
    chunkNames: "part-[hash]",
    bundle: true,
    minify: true,
    format: "esm",
    platform: "node",
    target: "node24",
    mainFields: ["module", "main"],
    // Some packages still ask for Node's own modules by `require`.
    banner: { js: REQUIRE },
    // In a folder of their own: they are larger than the code, and nothing reads them where it runs.
    sourcemap: "external",
    legalComments: "none",
    logLevel: "warning",
    write: false,
  });
  const sourceMaps = join(into, "source-maps");
  mkdirSync(sourceMaps, { recursive: true });
  for (const { path, contents } of outputFiles)
    writeFileSync(path.endsWith(".map") ? join(sourceMaps, basename(path)) : path, contents);
  return { folder, sourceMaps };
}

const REQUIRE = 'import{createRequire as l2macRequire}from"node:module";const require=l2macRequire(import.meta.url);';

/** The functions' bundle, with the prompts that the API gives to new runs and the scenes that rehearsals play. */
export function bundleFunctions(into: string): Bundle {
  const built = bundle({ entry: "lambdas/entry.ts", name: "entry", split: true }, into);
  for (const name of ["prompts", "rehearsals"])
    cpSync(projectFile(name), join(built.folder, name), { recursive: true });
  return built;
}
