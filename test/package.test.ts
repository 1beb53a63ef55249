import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startInstalledRegistry } from "./doubles/installed-registry.ts";
import { NO_EVIDENCE } from "./doubles/no-evidence.ts";
import { startProgramServer } from "./servers/program-server.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** An empty project that has the package installed, with the dependencies that are installed here. */
let project: string;
let packed: string[];
let archive: string;
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), "l2mac-package-"));
  const env = { ...process.env, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) };
  const pack = spawnSync("npm", ["pack", "--json", "--pack-destination", project], {
    cwd: root,
    env,
    encoding: "utf8",
  });
  expect(pack.status, pack.stderr).toBe(0);
  const [listed] = JSON.parse(pack.stdout.slice(pack.stdout.indexOf("[\n")));
  archive = join(project, listed.filename);
  packed = listed.files.map(({ path }: { path: string }) => path);
  mkdirSync(join(project, "node_modules/l2mac"), { recursive: true });
  spawnSync("tar", ["-xzf", join(project, listed.filename), "-C", join(project, "node_modules/l2mac"), "--strip", "1"]);
  for (const name of Object.keys(manifest.dependencies)) {
    mkdirSync(dirname(join(project, "node_modules", name)), { recursive: true });
    symlinkSync(join(root, "node_modules", name), join(project, "node_modules", name));
  }
  mkdirSync(join(project, "node_modules/@types"));
  symlinkSync(join(root, "node_modules/@types/node"), join(project, "node_modules/@types/node"));
  writeFileSync(join(project, "package.json"), '{"type": "module", "private": true}');
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

const node = (...args: string[]) =>
  spawnSync(process.execPath, args, {
    cwd: project,
    encoding: "utf8",
    env: { PATH: process.env.PATH, HOME: project },
  });

const WELL = { status: 0, stdout: "" };
const compile = (more: string[], file: string) =>
  node(
    join(root, "node_modules/typescript/bin/tsc"),
    ...["--noEmit", "--strict", "--module", "nodenext", "--target", "es2022", "--types", "node", ...more, file],
  );

describe("the package", () => {
  it("has what it runs and reads, and nothing else", () => {
    expect(packed).toEqual(
      expect.arrayContaining([
        "bin/l2mac.mjs",
        "dist/cli.js",
        "dist/LICENSES.txt",
        "dist/l2mac.1",
        "fonts/OFL.txt",
        "fonts/serif.ttf",
        "dist/index.js",
        "dist/types/lib/index.d.ts",
        "lib/evaluator/scripts/check-python.py",
        "prompts/book/plan.md",
        "rehearsals/tally/files/test/csv.test.js",
        "statemachine/control-unit.asl.json",
      ]),
    );
    const strangers = packed.filter(
      (path) =>
        /\.ts$|^(?!rehearsals\/).*\.test\.|__pycache__|^docs\/pictures\/|^(lib\/(?!evaluator\/scripts\/)|test|bench)\//.test(
          path,
        ) && !path.endsWith(".d.ts"),
    );
    expect(strangers).toEqual([]);
    const declared = packed.filter((path) => path.endsWith(".d.ts"));
    // What computes a run is no part of what callers see.
    expect(
      declared.filter((path) => !/^dist\/types\/lib\/(index|(core|library)\/.*|model\/model-table)\.d\.ts$/.test(path)),
    ).toEqual([]);
  });

  it("has the licences of what it bundles", () => {
    const licences = readFileSync(join(project, "node_modules/l2mac/dist/LICENSES.txt"), "utf8");
    const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
    for (const name of ["hono", "@hono/node-server", "pdfkit", "diff", "preact", "highlight.js", "@smithy/core"])
      expect(licences).toContain(`${name} ${packages[`node_modules/${name}`].version}`);
    expect(licences).toContain(`zod ${manifest.dependencies.zod}`);
    expect(licences).toContain(readFileSync(join(root, "node_modules/hono/LICENSE"), "utf8").trim());
  });

  it("names one oldest Node", () => {
    const oldest = manifest.engines.node.replace(">=", "");
    const said = ["docs/install.md", "docs/library.md", "docs/evaluation.md"].flatMap((path) =>
      [...readFileSync(join(root, path), "utf8").matchAll(/\b22\.\d+/g)].map(String),
    );
    expect(new Set(said)).toEqual(new Set([oldest]));
    const agent = readFileSync(join(root, "packages/eval/harbor/l2mac_agent.py"), "utf8");
    expect(agent).toContain(`a == 22 && b >= ${oldest.split(".")[1]}`);
  });

  it.each([
    { args: ["list"], status: 0, modules: 60, kilobytes: 700 },
    { args: ["status"], status: 2, modules: 60, kilobytes: 700 },
    { args: ["tree"], status: 2, modules: 60, kilobytes: 700 },
    { args: [""], status: 2, modules: 40, kilobytes: 250 },
  ])("loads at most $kilobytes KB for $args", ({ args, status, modules, kilobytes }) => {
    const counter = join(project, "count-loaded.mjs");
    writeFileSync(
      counter,
      `import { registerHooks } from "node:module";
      import { writeFileSync } from "node:fs";
      const loaded = [];
      registerHooks({ load: (url, context, next) => {
        const module = next(url, context);
        if (url.startsWith("file:")) loaded.push(String(module.source ?? "").length);
        return module;
      } });
      process.on("exit", () => writeFileSync("loaded.json", JSON.stringify(loaded)));`,
    );
    const ended = node("--import", counter, "node_modules/l2mac/bin/l2mac.mjs", ...args);
    expect(ended).toMatchObject({ status });
    const sizes: number[] = JSON.parse(readFileSync(join(project, "loaded.json"), "utf8"));
    expect(sizes.length).toBeGreaterThan(5);
    expect(sizes.length).toBeLessThanOrEqual(modules);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(kilobytes * 1_000);
  });

  it("serves on while its files are replaced", async () => {
    cpSync(join(project, "node_modules/l2mac"), join(project, "node_modules/served"), { recursive: true });
    const launcher = join(project, "node_modules/served/bin/l2mac.mjs");
    const env = { PATH: process.env.PATH, HOME: project };
    const server = spawn(process.execPath, [launcher, "serve", "--port", "0", "--unsealed"], { cwd: project, env });
    try {
      const url = String((await once(server.stdout, "data"))[0]).trim();
      rmSync(join(project, "node_modules/served/dist"), { recursive: true });
      const listed = node("node_modules/l2mac/bin/l2mac.mjs", "list", "--remote", url);
      expect(listed).toMatchObject({ status: 0, stderr: expect.stringContaining("There are no runs") });
    } finally {
      const ended = once(server, "exit");
      server.kill("SIGTERM");
      await ended;
    }
  });

  it("rehearses a whole run where nothing else is installed", () => {
    const { stdout, stderr, status } = node("node_modules/l2mac/bin/l2mac.mjs", "run", "--rehearse", "--no-tests");
    expect({ status, stdout, stderr }).toMatchObject({ status: 0, stdout: `${join(project, "workspace/tally")}\n` });
    expect(stderr).toContain(`l2mac ${manifest.version} `);
  });

  // The Node that runs the tests is the one of the other tests.
  describe.skipIf(process.env.L2MAC_PYPI === undefined)("on Node 22 (needs L2MAC_PYPI=1, and npm's registry)", () => {
    const oldest = `${manifest.engines.node.replace(">=", "")}.0`;
    it.each([
      // With its tests: what a check prints depends on the version.
      { version: oldest, flags: [], said: "Proven 7/7" },
      { version: "22.23.3", flags: ["--no-tests"], said: "tally" },
    ])("of version $version a rehearsal is completed", ({ version, flags, said }) => {
      const folder = join(project, `node-${version}`);
      mkdirSync(folder);
      const name = `node-${process.platform}-${process.arch}`;
      const env = { PATH: process.env.PATH, HOME: folder };
      const wanted = ["install", "--no-audit", "--no-fund", "--no-save", "--prefix", folder, `${name}@${version}`];
      const installed = spawnSync("npm", wanted, { cwd: folder, encoding: "utf8", env: process.env });
      expect(installed.status, installed.stderr).toBe(0);
      const program = join(folder, "node_modules", name, "bin/node");
      const launcher = join(project, "node_modules/l2mac/bin/l2mac.mjs");
      const start = (...args: string[]) =>
        spawnSync(program, [launcher, ...args], { cwd: folder, encoding: "utf8", env });
      const { stdout, stderr, status } = start("run", "--rehearse", ...flags);
      expect({ status, stdout, stderr }).toMatchObject({ status: 0, stdout: `${join(folder, "workspace/tally")}\n` });
      expect(stderr).toContain(said);
      expect(start("list")).toMatchObject({ status: 0, stdout: expect.stringContaining("completed") });
    });
  });

  it("is installed globally, and found by npx, from the packed file alone", async () => {
    const registry = await startInstalledRegistry();
    const home = join(project, "elsewhere");
    mkdirSync(home);
    const path = [join(home, "global/bin"), dirname(process.execPath), process.env.PATH].join(delimiter);
    const settings = {
      npm_config_registry: registry.url,
      npm_config_prefix: join(home, "global"),
      npm_config_audit: "false",
    };
    const type = async (command: string, args: string[]) => {
      const child = spawn(command, args, { cwd: home, env: { PATH: path, HOME: home, ...settings } });
      const texts = { stdout: "", stderr: "" };
      child.stdout.on("data", (data) => (texts.stdout += String(data)));
      child.stderr.on("data", (data) => (texts.stderr += String(data)));
      const [code] = await once(child, "close");
      return { code, ...texts };
    };
    try {
      expect(await type("npm", ["install", "--global", archive])).toMatchObject({ code: 0 });
      expect(readFileSync(join(home, "global/share/man/man1/l2mac.1"), "utf8")).toContain(".SS l2mac run ");
      const rehearsed = await type("l2mac", ["run", "--rehearse", "--no-tests"]);
      expect(rehearsed).toMatchObject({ code: 0, stdout: `${join(home, "workspace/tally")}\n` });
      rmSync(join(home, "global"), { recursive: true });
      const started = await type("npx", ["--yes", "--package", archive, "l2mac", "help"]);
      expect(started).toMatchObject({ code: 0, stdout: expect.stringContaining("l2mac run") });
    } finally {
      await registry.stop();
    }
  });

  it("rehearses a book, and prints it with the fonts that it brings", () => {
    const { stdout, status } = node("node_modules/l2mac/bin/l2mac.mjs", "run", "--rehearse", "--domain", "book");
    expect(status).toBe(0);
    expect(readFileSync(join(stdout.trim(), "pigeonholes.pdf"), "latin1")).toMatch(/^%PDF-1\.7/);
  });

  it("signs with what it brings, and looks for credentials where the AWS tools do", () => {
    const aws = { AWS_REGION: "eu-west-1", AWS_ACCESS_KEY_ID: "AKIANOBODY", AWS_SECRET_ACCESS_KEY: "nothing" };
    const asked = (env: Record<string, string>) =>
      spawnSync(process.execPath, ["node_modules/l2mac/bin/l2mac.mjs", "list", "--remote", "https://127.0.0.1:2/v1"], {
        cwd: project,
        encoding: "utf8",
        env: { PATH: process.env.PATH, HOME: project, AWS_EC2_METADATA_DISABLED: "true", ...env },
      });
    expect(asked(aws)).toMatchObject({ status: 3, stderr: expect.stringContaining("nothing listens there") });
    expect(asked({ AWS_REGION: "eu-west-1" })).toMatchObject({
      status: 3,
      stderr: expect.stringContaining("No AWS credentials were found"),
    });
  });

  it("asks CloudFormation where the stack is", () => {
    const { status, stderr } = node("node_modules/l2mac/bin/l2mac.mjs", "list", "--remote");
    expect({ status, stderr }).toMatchObject({ status: 3, stderr: expect.stringContaining("Region is missing") });
  });

  it("runs the snippets of its documentation: TypeScript, ESM and CommonJS", async () => {
    const server = await startProgramServer({ instructions: 2 });
    const env = {
      ...{ PATH: process.env.PATH ?? "", HOME: project, L2MAC_HOME: join(project, "snippets"), L2MAC_UNSEALED: "1" },
      ...{ OPENAI_BASE_URL: server.url, L2MAC_MODEL: "scripted" },
    };
    const page = readFileSync(join(project, "node_modules/l2mac/docs/library.md"), "utf8");
    const snippets = [...page.matchAll(/^```(ts|js|cjs)\n([\s\S]*?)^```$/gm)];
    try {
      expect(snippets.map(([, kind]) => kind)).toEqual(["ts", "js", "cjs"]);
      for (const [, kind = "", code = ""] of snippets) {
        const name = `snippet.${kind === "ts" ? "mts" : kind === "js" ? "mjs" : "cjs"}`;
        // The server's program names no requirements.
        const off = code.replace("budget: 2", `budget: 2, evidence: "${NO_EVIDENCE.evidence}"`);
        writeFileSync(join(project, name), off);
        if (kind !== "cjs") expect(compile(kind === "ts" ? [] : ["--allowJs", "--checkJs"], name)).toMatchObject(WELL);
        const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", name], { cwd: project, env });
        let output = "";
        for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += String(data)));
        const [code2] = await once(child, "close");
        expect({ name, code: code2, output }).toMatchObject({ name, code: 0 });
        if (kind === "cjs") expect(output).toBe("2\n");
      }
    } finally {
      await server.close();
    }
  });

  it("has declarations that CommonJS written in TypeScript can use", () => {
    const code =
      'import { get, watch } from "l2mac";\nexport const text = async (id: string): Promise<string | undefined> => (await get(id)).files.a;\nexport const bytes = async (id: string): Promise<Uint8Array | undefined> => (await get(id, { bytes: true })).files.a;\nexport const last = async (id: string) => { let seq = 0; for await (const event of watch(id)) seq = event.seq; return seq; };\n';
    writeFileSync(join(project, "use.cts"), code);
    expect(compile([], "use.cts")).toMatchObject(WELL);
  });

  it("is a library that can be imported, with declarations that hold", () => {
    writeFileSync(
      join(project, "use.ts"),
      `import { generateCodebase, type Generated, RunFailed } from "l2mac";
      const generated: Generated = await generateCodebase("tally", { rehearse: true, tests: false, home: "library" });
      const text: string | undefined = generated.files["package.json"];
      console.log(generated.status, typeof text, RunFailed.name);
      // @ts-expect-error A budget is a number.
      void (() => generateCodebase("x", { budget: "3" }));`,
    );
    expect(compile([], "use.ts")).toMatchObject(WELL);
    expect(node("use.ts")).toMatchObject({ status: 0, stdout: "completed string RunFailed\n" });
  });
});
