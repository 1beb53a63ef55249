/** The commands, data and code in the docs are valid: each is read by what would read it for a user. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { commands } from "../../lib/cli/commands.ts";
import { withOptionFlags } from "../../lib/cli/settings/option-flags.ts";
import { parseArguments } from "../../lib/cli/settings/parse.ts";
import { NO_EVIDENCE } from "../doubles/no-evidence.ts";
import { startProgramServer } from "../servers/program-server.ts";
import { blocksOf, pages, ROOT } from "./pages.ts";

/** The words of the `l2mac` commands in a shell block, without comments, redirections and what follows a pipe. */
function commandsIn(code: string): string[][] {
  const lines = code.replaceAll("\\\n", " ").split("\n");
  return lines.flatMap((line) => {
    const [, rest] = /^\s*(?:npx )?l2mac\b(.*)$/.exec(line) ?? [];
    if (rest === undefined) return [];
    const tokens = [...rest.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map((match) => ({
      text: match[1] ?? match[2] ?? match[3] ?? "",
      bare: match[3] !== undefined,
    }));
    const end = tokens.findIndex(({ text, bare }) => bare && /^([#|;>]|&&|\d?>)/.test(text));
    return [(end < 0 ? tokens : tokens.slice(0, end)).map(({ text }) => text)];
  });
}

const typed = pages.flatMap((page) =>
  blocksOf(page, "sh").flatMap(({ line, code }) => commandsIn(code).map((words) => ({ at: page.path, line, words }))),
);

describe("the commands in the docs", () => {
  it.each(typed.map((each) => [`${each.at}: l2mac ${each.words.join(" ")}`, each.words] as const))(
    "%s",
    (_, [first = "", ...rest]) => {
      if (first === "help") return;
      const named = commands.find(({ name }) => name === first);
      const run = commands.find(({ name }) => name === "run");
      expect(run).toBeDefined();
      const spec = named ?? run;
      if (spec) expect(() => parseArguments(withOptionFlags(spec), named ? rest : [first, ...rest])).not.toThrow();
    },
  );

  it("are many", () => {
    expect(typed.length).toBeGreaterThan(40);
  });
});

describe.skipIf(spawnSync("bash", ["-c", "true"]).status !== 0)("shell blocks in the docs", () => {
  const blocks = pages.flatMap((page) =>
    blocksOf(page, "sh").map(({ line, code }) => [page.path, line, code] as const),
  );
  it("are read by bash without a complaint", () => {
    const wrong = blocks.flatMap(([path, line, code]) => {
      const { stderr } = spawnSync("bash", ["-n"], { input: code.replaceAll(/<\w+>/g, "filled-in"), encoding: "utf8" });
      return stderr === "" ? [] : [`${path}:${line}: ${stderr}`];
    });
    expect(wrong).toEqual([]);
  });
});

describe("npm scripts in the docs", () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { scripts: object };
  const used = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/\bnpm run ([\w:-]+)/g)].map(([, name = ""]) => [name, path] as const),
  );
  it.each(used)("npm run %s, in %s, exists", (name) => {
    expect(Object.keys(scripts)).toContain(name);
  });
});

describe("data in the docs", () => {
  const blocks = pages.flatMap((page) =>
    blocksOf(page, "json").map(({ line, code }) => [page.path, line, code] as const),
  );
  it.each(blocks)("%s line %i is JSON", (_path, _line, code) => {
    expect(() => JSON.parse(code.replaceAll("…", ""))).not.toThrow();
  });
});

it("the example of the library computes a task", async () => {
  const [example] = pages.flatMap((page) => (page.path === "docs/library.md" ? blocksOf(page, "ts") : []));
  const server = await startProgramServer({ instructions: 2 });
  const folder = mkdtempSync(join(tmpdir(), "l2mac-docs-"));
  onTestFinished(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const script = join(folder, "example.ts");
  const library = JSON.stringify(join(ROOT, "lib/index.ts"));
  const shown = "\nconsole.log(JSON.stringify({ paths: Object.keys(files), status, usd: typeof cost }));\n";
  // The server's program names no requirements.
  const code = (example?.code ?? "").replace("budget: 2", `budget: 2, evidence: "${NO_EVIDENCE.evidence}"`);
  writeFileSync(script, code.replace('"l2mac"', library) + shown);
  const env = {
    ...{ PATH: process.env.PATH ?? "", HOME: folder, L2MAC_HOME: join(folder, "home"), L2MAC_UNSEALED: "1" },
    ...{ OPENAI_BASE_URL: server.url, L2MAC_MODEL: "scripted" },
  };
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", script], { cwd: folder, env });
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (data) => (output.stdout += data));
  child.stderr.on("data", (data) => (output.stderr += data));
  const [ended] = await once(child, "close");
  expect(ended, output.stderr).toBe(0);
  expect(JSON.parse(output.stdout)).toMatchObject({ status: "completed" });
});
