/** Every shell block of the docs is run as it is written, in a clean environment, or is listed with the reason why not. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasTurn, isChanged, readLanding } from "../../.ci/parts.ts";
import { type Computer, openComputer } from "./computer/computer.ts";
import { ROOT } from "./pages.ts";
import { type Filling, filledIn, type ShellBlock, shellBlocks } from "./shell-block.ts";
import { ASKED, ELSEWHERE, NOT_RUN, USES } from "./verbatim.ts";

const missing = ["bash", "openssl", "git", "script"].filter((name) => spawnSync(name, ["--version"]).error);
const needs = missing.length > 0 ? ` (needs ${missing.join(", ")})` : "";

let computer: Computer;
beforeAll(async () => {
  if (missing.length === 0) computer = await openComputer();
});
afterAll(() => computer?.stop());

/** A block may rehearse, or compute several runs. */
const BLOCK_MS = 600_000;
const landing = process.env.L2MAC_PART === undefined ? undefined : readLanding();

/** In CI: the README's, those of a page that changed, and one sixth of the others. Elsewhere, and before a release, all. */
const isDue = ({ name, page }: ShellBlock): boolean =>
  landing === undefined ||
  landing.isRelease ||
  page === "README.md" ||
  isChanged(landing, [page, "test/docs/"]) ||
  hasTurn(landing, name);

const typedBlocks = shellBlocks.filter((block) => !(block.name in ELSEWHERE || block.name in NOT_RUN) && isDue(block));

describe.skipIf(missing.length > 0)(`the shell blocks of the docs${needs}`, () => {
  it.each(typedBlocks.map((block) => [block.name, block] as const))(
    "%s",
    { timeout: BLOCK_MS },
    async (name, block) => {
      const { before, beforeFails = [], fails = [], after, env = {}, answers, files = {} } = USES[name] ?? {};
      for (const [path, content] of Object.entries(files)) {
        mkdirSync(dirname(join(computer.folder, path)), { recursive: true });
        writeFileSync(join(computer.folder, path), content);
      }
      for (const made of [".l2mac", "workspace", "l2mac.config.json"])
        rmSync(join(computer.folder, made), { recursive: true, force: true });
      const prepared = before === undefined ? undefined : await computer.type(before, { env });
      expect(prepared?.failures ?? [], prepared?.stderr).toEqual(beforeFails);
      const asked = computer.asked.length;
      const { code, filling } = filledBlock(block);
      const { failures, stderr, stdout } = await computer.type(code, { env, answers });
      const expected = fails.map((each) => ({ ...each, command: filledIn(each.command, filling) }));
      expect(failures, `${stdout}\n${stderr}`).toEqual(expected);
      expectAsked(block, asked);
      const followed = after === undefined ? undefined : await computer.type(after, { env });
      expect(followed?.failures ?? [], followed?.stderr).toEqual([]);
    },
  );
});

function filledBlock({ name, code }: ShellBlock): { code: string; filling: Filling } {
  const { runs = 0, filling = {} } = USES[name] ?? {};
  const folder = join(computer.folder, ".l2mac/runs");
  const latest = runs > 0 ? { "<run>": readdirSync(folder).toSorted().slice(-runs) } : {};
  const whole = { "…": "example-key", ...latest, ...filling };
  return { code: filledIn(code, whole), filling: whole };
}

/** Model servers of providers are asked at their own addresses, each with its own key. */
function expectAsked({ name, page }: ShellBlock, before: number): void {
  const expected = page === "docs/providers.md" ? ASKED[name.slice(`${page}: `.length)] : undefined;
  if (!expected) return;
  const asked = computer.asked.slice(before);
  expect(asked.length).toBeGreaterThan(2);
  for (const { host, path, model, key } of asked) {
    expect({ url: `${host}${path}`, model }).toEqual({ url: expected.url, model: expected.model });
    expect(key).toEqual(typeof expected.key === "string" ? expected.key : expect.stringMatching(expected.key));
  }
}

describe("what is said about the shell blocks", () => {
  const names = shellBlocks.map(({ name }) => name);

  it("is said of blocks that there are", () => {
    const providers = Object.keys(ASKED).map((name) => `docs/providers.md: ${name}`);
    const said = [...Object.keys(USES), ...Object.keys(ELSEWHERE), ...Object.keys(NOT_RUN), ...providers];
    expect(said.filter((name) => !names.includes(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });

  it("leaves out few, and names a test for each that another one runs", () => {
    expect(Object.keys(NOT_RUN).length).toBeLessThanOrEqual(5);
    expect(Object.values(ELSEWHERE).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it("names in blocks that are not run only scripts that there are, and of those that CI runs at least one there", () => {
    const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
    const scripts = Object.keys((JSON.parse(read("package.json")) as { scripts: object }).scripts);
    const ci = read(".ci/run") + read(".ci/suites.ts");
    for (const [name, reason] of Object.entries(NOT_RUN)) {
      const code = shellBlocks.find((block) => block.name === name)?.code ?? "";
      const named = [...code.matchAll(/\bnpm (?:run )?([a-z][\w:]*)/g)].map(([, script = ""]) => script);
      const own = named.filter((script) => script !== "ci");
      expect(own.filter((script) => !scripts.includes(script))).toEqual([]);
      if (reason.includes(".ci/run"))
        expect(
          own.filter((script) => ci.includes(script)),
          name,
        ).not.toEqual([]);
    }
  });

  it("covers each provider with a command", () => {
    const commands = shellBlocks.filter(({ page, code }) => page === "docs/providers.md" && /l2mac "/.test(code));
    expect(commands.map(({ name }) => name.slice("docs/providers.md: ".length)).toSorted()).toEqual(
      Object.keys(ASKED).toSorted(),
    );
  });

  it("finds nothing typed behind a server that keeps its terminal", () => {
    const server = /(^|\s)(llama-server|vllm serve|litellm|ollama serve|npx l2mac (serve|open))\b/;
    const behind = shellBlocks.filter(({ code }) =>
      code
        .trimEnd()
        .split("\n")
        .slice(0, -1)
        .some((line) => server.test(line)),
    );
    expect(behind.map(({ name }) => name)).toEqual([]);
  });
});
