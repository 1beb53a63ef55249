/** Bundles the functions' code with all packages it needs. */
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { buildSync } from "esbuild";
import { projectFile } from "../files/project-files.ts";

export interface Bundle {
  /** The folder to deploy. */
  folder: string;
  /** The folder of the source maps, which are not deployed. */
  sourceMaps: string;
}

/** `entry` is a path from the top folder. `split`: dynamic imports become files of their own. */
export function bundle(options: { entry: string; name: string; split?: boolean }, into: string): Bundle {
  const { entry, name, split = false } = options;
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
    // Some packages load Node's modules with `require`.
    banner: { js: REQUIRE },
    // In a separate folder: they are larger than the code, and the functions do not read them.
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

/** The functions' bundle, with the prompts for new runs, the scenes of rehearsals and the fonts of books. */
export function bundleFunctions(into: string): Bundle {
  const built = bundle({ entry: "lambdas/entry.ts", name: "entry", split: true }, into);
  for (const name of ["prompts", "rehearsals", "fonts"])
    cpSync(projectFile(name), join(built.folder, name), { recursive: true });
  return built;
}
