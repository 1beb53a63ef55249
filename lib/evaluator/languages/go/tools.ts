/** Runs Go in the copy of the tree: without a network, and without what the user's own settings say. */
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Run, Tool, Workspace } from "../../language.ts";
import type { CommandResult } from "../../process/run-command.ts";
import type { GoCode, GoModule } from "./modules.ts";

export interface GoTools {
  /** The folder of the copy. */
  folder: string;
  /** The standard library is compiled as far as the project uses it. */
  isWarm: boolean;
  run(module: GoModule, args: string[], readLine?: Run["readLine"]): Promise<CommandResult>;
}

/** Answers of the compiler must come whole. */
const ANSWER_BYTES = 8 * 1024 * 1024;

/** One set of tools serves a whole evaluation. */
const opened = new WeakMap<Workspace, Promise<GoTools>>();

export function openTools(workspace: Workspace, go: Tool, code: GoCode): Promise<GoTools> {
  const tools = opened.get(workspace) ?? open(workspace, go, code);
  opened.set(workspace, tools);
  return tools;
}

async function open(workspace: Workspace, go: Tool, code: GoCode): Promise<GoTools> {
  const { cache, isWarm } = await buildCache(workspace, go, code);
  const copy = await workspace.copy();
  for (const { made } of code.modules)
    if (made) await copy.run({ argv: [workspace.toolchain.node, "-e", WRITE, await resolvedFor(made, workspace)] });
  // Plugins are linked by the C compiler too.
  const cgo = [...code.imports.values()].some((paths) => paths.includes("C") || paths.includes("plugin"));
  return {
    folder: copy.folder,
    isWarm,
    run: (module, args, readLine) =>
      copy.run({
        argv: [go.program, ...args],
        below: module.folder,
        env: {
          ...SETTINGS,
          GOFLAGS: module.vendored || module.work === "joined" ? "" : "-mod=mod",
          ...(module.work === "apart" ? { GOWORK: "off" } : {}),
          CGO_ENABLED: cgo ? "1" : "0",
          GOCACHE: cache,
          GOPATH: `${cache}/path`,
        },
        ...(readLine ? { readLine } : { outputBytes: ANSWER_BYTES }),
      }),
  };
}

/** With the versions that the installer found, where it did. */
async function resolvedFor(made: string, { environment }: Workspace): Promise<string> {
  const modules = environment?.env.GOMODCACHE;
  if (!modules) return made;
  const found = await readFile(join(dirname(modules), "made", "go.mod"), "utf8").catch(() => "");
  return `${made}${found.replace(/^module .*$/m, "")}`;
}

/** Inside the seal: what lies in the copy by now may lead anywhere. */
const WRITE = 'require("node:fs").writeFileSync("go.mod", process.argv[1])';

const SETTINGS: Record<string, string> = {
  GO111MODULE: "on",
  GOENV: "off",
  GOPROXY: "off",
  GOSUMDB: "off",
  GOTELEMETRY: "off",
  GOTOOLCHAIN: "local",
};

/**
 * Compiling the standard library takes 7 to 20 s each time, copying it compiled takes 0.3 s. The cache that lasts is
 * written only by commands that see nothing of any project: generated code can change only its own copy.
 */
async function buildCache(
  workspace: Workspace,
  go: Tool,
  { imports }: GoCode,
): Promise<{ cache: string; isWarm: boolean }> {
  const cache = await workspace.newFolder();
  if (!workspace.kept) return { cache, isWarm: false };
  const packages = [...new Set(["testing", ...imports.values()].flat())].sort();
  const script = `${workspace.scripts}/go-std-cache.mjs`;
  const { stdout } = await workspace.kept.run({
    argv: [workspace.toolchain.node, script, go.program, `${workspace.kept.folder}/${go.version}`, cache],
    env: { ...SETTINGS, CGO_ENABLED: "0", GOFLAGS: "-mod=mod" },
    stdin: JSON.stringify({ packages, root: go.root }),
  });
  return { cache, isWarm: stdout.trim() === "warm" };
}
