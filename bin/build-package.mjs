/** Builds what the npm package runs: Node refuses to strip types under node_modules, so its TypeScript is bundled. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");
const types = join(dist, "types");

const { dependencies, engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** What opens a home and asks it. */
const LOOKING = [
  "lib/cli/commands/list.ts",
  "lib/cli/runs/connection.ts",
  "lib/cli/runs/local-connection.ts",
  "lib/client/in-process.ts",
  "lib/api/routes/list-runs.ts",
];
/** They answer before a home is opened. */
const APART = [
  "lib/cli/main.ts",
  "lib/index.ts",
  "lib/cli/commands/run.ts",
  "lib/cli/commands/help.ts",
  "lib/cli/settings/option-flags.ts",
];

rmSync(dist, { recursive: true, force: true });
keepLicences([await bundle(), await page()]);
await writeManual();
declare();

async function bundle() {
  // Callers' compilers need zod for the declarations; what runs is bundled, as every command loads it.
  const installed = Object.keys(dependencies).filter((name) => name !== "zod");
  const options = {
    absWorkingDir: root,
    entryPoints: { cli: join(root, "lib/cli/main.ts"), index: join(root, "lib/index.ts") },
    outdir: dist,
    bundle: true,
    // Commands load what they need and no more.
    splitting: true,
    chunkNames: "chunk-[hash]",
    format: "esm",
    platform: "node",
    target: `node${engines.node.replace(">=", "")}`,
    // What speaks to AWS comes along: who only computes here installs nothing for it.
    external: ["esbuild", ...installed].flatMap((name) => [name, `${name}/*`]),
    mainFields: ["module", "main"],
    // Names stay, for stack traces.
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: "none",
    logLevel: "warning",
    metafile: true,
  };
  const { metafile } = await build({ ...options, write: false });
  return (await build({ ...options, plugins: [shareChunks(metafile)] })).metafile;
}

/** esbuild makes a file for each set of modules that the same commands load, hundreds of them, and finding them takes most of a start. With this plugin, what a look at runs loads is a few. `metafile`: of a build without it. */
function shareChunks({ inputs }) {
  const shared = new Set();
  const visit = (path) => {
    if (shared.has(path)) return;
    shared.add(path);
    for (const { path: next, kind, external } of inputs[path].imports)
      if (kind === "import-statement" && !external) visit(next);
  };
  for (const path of LOOKING) visit(path);
  const parts = [...shared].filter((path) => path.startsWith("lib/"));
  const lazy = new Set(
    Object.values(inputs).flatMap(({ imports }) =>
      imports.filter(({ kind, external }) => kind === "dynamic-import" && !external).map(({ path }) => path),
    ),
  );
  const first = [...lazy].filter((path) => path.startsWith("lib/") && !shared.has(path) && !APART.includes(path));
  return {
    name: "share-chunks",
    setup(build) {
      build.onResolve({ filter: /^shared:/ }, () => ({ path: "shared", namespace: "shared" }));
      build.onLoad({ filter: /./, namespace: "shared" }, () => ({
        contents: parts.map((path) => `import ${JSON.stringify(join(root, path))};`).join("\n"),
        resolveDir: root,
      }));
      const paths = new Set(first.map((path) => join(root, path)));
      build.onLoad({ filter: /\.ts$/ }, ({ path }) =>
        paths.has(path) ? { contents: `import "shared:";${readFileSync(path, "utf8")}`, loader: "ts" } : undefined,
      );
    },
  };
}

async function page() {
  const { buildPage, PAGE_BUILD } = await import("../packages/page/index.ts");
  mkdirSync(join(dist, "page"), { recursive: true });
  for (const [name, text] of Object.entries(await buildPage())) writeFileSync(join(dist, "page", name), text);
  return (await build({ ...PAGE_BUILD, absWorkingDir: root, metafile: true })).metafile;
}

async function writeManual() {
  const { manual } = await import("../lib/cli/manual.ts");
  writeFileSync(join(dist, "l2mac.1"), manual());
}

/** The licences of what is bundled ask for their texts; packages with the same text share it. */
function keepLicences(metafiles) {
  const inputs = metafiles.flatMap((metafile) => Object.keys(metafile.inputs)).sort();
  const folders = new Set(inputs.flatMap((path) => path.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0] ?? []));
  const named = Map.groupBy(folders, licenceText);
  const parts = [...named].map(([text, of]) => `${of.map(packageName).join(", ")}\n\n${text.trim()}\n`);
  writeFileSync(join(dist, "LICENSES.txt"), parts.join(`\n${"-".repeat(80)}\n\n`));
}

function licenceText(folder) {
  const file = readdirSync(join(root, folder)).find((name) => /^licen[cs]e/i.test(name));
  if (file) return readFileSync(join(root, folder, file), "utf8");
  const { license, author } = manifestIn(folder);
  return `${license}${author ? `, by ${author.name ?? author}` : ""}: its package has no text of its own.`;
}

function packageName(folder) {
  const { name, version } = manifestIn(folder);
  return `${name} ${version}`;
}

function manifestIn(folder) {
  return JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
}

function declare() {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const flags = ["--noEmit", "false", "--declaration", "--emitDeclarationOnly", "--outDir", types, "--rootDir", root];
  const project = join(dist, "tsconfig.json");
  writeFileSync(project, JSON.stringify({ extends: "../tsconfig.json", include: [], files: ["../lib/index.ts"] }));
  const { status } = spawnSync(process.execPath, [tsc, "-p", project, ...flags], { stdio: "inherit" });
  rmSync(project);
  if (status !== 0) throw new Error("The declarations could not be written.");
  keepReachable(join(types, "lib/index.d.ts"));
}

/** Only what the library's own declarations lead to, and with the names that the files have here. */
function keepReachable(entry) {
  const reached = new Set();
  const visit = (path) => {
    if (reached.has(path)) return;
    reached.add(path);
    const text = readFileSync(path, "utf8").replace(/((?:from|import\()\s*")(\.[^"]+)\.ts(")/g, "$1$2.js$3");
    writeFileSync(path, text);
    for (const [, target] of text.matchAll(/(?:from|import\()\s*"(\.[^"]+)\.js"/g))
      visit(join(dirname(path), `${target}.d.ts`));
  };
  visit(entry);
  for (const name of readdirSync(types, { recursive: true })) {
    if (name.endsWith(".d.ts") && !reached.has(join(types, name))) rmSync(join(types, name));
  }
  console.error(`${reached.size} declarations, beginning at ${relative(root, entry)}`);
}
