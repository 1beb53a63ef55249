/** What a command shares of a folder with a model: said before anything is sent, and nothing else is sent. */
import { mkdirSync, readFileSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { TREE_BYTES } from "../../lib/core/limits.ts";
import { aBench, type Bench } from "../doubles/command.ts";
import { json, type ScriptedApi, startScriptedApi } from "../servers/scripted-api.ts";

let bench: Bench;
let api: ScriptedApi;
/** Takes everything, and then fails, so that the command ends. */
beforeEach(async () => {
  api = await startScriptedApi(({ path }) =>
    path.startsWith("/runs?") ? json({ runs: [] }) : json({ title: "bad request", detail: "Enough was heard." }, 400),
  );
  bench = aBench({ L2MAC_API_URL: api.url });
  mkdirSync(join(bench.folder, "start"));
  bench.write("start/a.js", "1\n");
  bench.write("start/.env", "PASSWORD=not-for-you\n");
  bench.write("start/id_rsa", "x\n");
  bench.write("start/settings.js", `\nconst token = "${TOKEN}";\n`);
});
afterEach(async () => {
  await api.close();
  bench.remove();
});

const TOKEN = `ghp_${"Kq7Zr2Xw9Tb4Vn6M".repeat(3)}`;

const sent = (): string[] => {
  const body = api.heard.find(({ method, path }) => method === "POST" && path === "/runs")?.body.toString() ?? "";
  return JSON.parse(body).files.map(({ path }: { path: string }) => path);
};

describe("a folder to start from", () => {
  it("is sent without secrets, which are counted and named", async () => {
    const { stderr } = await bench.run(["Go on.", "--from", "start"]);
    expect(stderr).toContain(
      [
        "--from start: took 1 file, left out 3: 1 .env file, 1 SSH key, 1 secret.",
        "  .env file: .env",
        "  SSH key: id_rsa",
        "  secret: settings.js:2 (github token); --allow-secrets takes such files\n",
      ].join("\n"),
    );
    expect(sent()).toEqual(["a.js"]);
    expect(JSON.stringify(api.heard.map(({ body }) => body.toString()))).not.toMatch(/not-for-you|ghp_/);
    expect(stderr).not.toMatch(/not-for-you|ghp_/);
    expect(readFileSync(join(bench.folder, "start/.env"), "utf8")).toBe("PASSWORD=not-for-you\n");
  });

  it("is sent with secrets in texts where that is allowed, by the user and not by a project", async () => {
    bench.write("l2mac.config.json", JSON.stringify({ allowSecrets: true }));
    const refused = await bench.run(["Go on.", "--from", "start"]);
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining("sets allowSecrets true") });
    expect(api.heard).toEqual([]);
    bench.write("l2mac.config.json", "{}");
    const { stderr } = await bench.run(["Go on.", "--from", "start", "--allow-secrets"]);
    expect(stderr).toContain("--from start: took 2 files, left out 2: 1 .env file, 1 SSH key.\n");
    expect(sent()).toEqual(["a.js", "settings.js"]);
  });

  it("that is too large is refused with its largest parts and what to do, before anything is sent", async () => {
    mkdirSync(join(bench.folder, "start/data/raw"), { recursive: true });
    for (const name of ["one", "two"]) {
      bench.write(`start/data/raw/${name}.bin`, "");
      truncateSync(join(bench.folder, `start/data/raw/${name}.bin`), TREE_BYTES);
    }
    const refused = await bench.run(["Go on.", "--from", "start"]);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toMatch(
      /^l2mac: --from \S+: the files take 800\.0 MiB; at most 100 MiB packed, 400 MiB unpacked, fit into a run\. The largest: data\/raw\/\w+\.bin \(400\.0 MiB\), data\/raw\/\w+\.bin \(400\.0 MiB\)\.\n.*List in \.gitignore what the run does not need/m,
    );
    expect(api.heard.filter(({ method }) => method === "POST")).toEqual([]);
    bench.write("start/.gitignore", "/data/\n");
    const { stderr } = await bench.run(["Go on.", "--from", "start"]);
    expect(stderr).toContain("took 2 files, left out 4: 1 excluded by .gitignore, ");
  });

  it("names a few of many", async () => {
    for (let n = 0; n < 9; n += 1) bench.write(`start/${n}.env`, "x");
    const { stderr } = await bench.run(["Go on.", "--from", "start"]);
    expect(stderr).toContain("10 .env files");
    expect(stderr).toContain("  .env file: .env, 0.env, 1.env, 2.env, 3.env, … 5 more (--dry-run lists all)\n");
  });

  it("with names that would write on a terminal is named without what they would write", async () => {
    mkdirSync(join(bench.folder, "start/\u001b[2Jtwo\nlines"));
    bench.write("start/\u001b[2Jtwo\nlines/.env", "x");
    const { stderr } = await bench.run(["Go on.", "--from", "start"]);
    expect(stderr).toContain("  .env file: .env, two lines/.env\n");
    expect(stderr).not.toContain("\u001b");
  });
});

describe("a dry run", () => {
  it("lists all that is taken and all that is left out, and sends and stores nothing", async () => {
    for (let n = 0; n < 9; n += 1) bench.write(`start/${n}.env`, "x");
    const { code, stdout, stderr } = await bench.run(["Go on.", "--from", "start", "--dry-run"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "a.js\n" });
    expect(stderr).toContain("7.env, 8.env\n");
    expect(stderr).toMatch(/Dry run: .*nothing was sent, stored or paid\.\n$/);
    expect(api.heard).toEqual([]);
  });

  it("says the same as JSON", async () => {
    const { stdout } = await bench.run(["Go on.", "--from", "start", "--dry-run", "--json"]);
    expect(JSON.parse(stdout)).toEqual({
      type: "dry_run",
      starting: {
        ...{ from: "start", files: 1, bytes: 2, taken: ["a.js"] },
        leftOut: [
          { path: ".env", reason: ".env file" },
          { path: "id_rsa", reason: "SSH key" },
          { path: "settings.js", reason: "secret", detail: "github token", line: 2 },
        ],
      },
    });
    expect(api.heard).toEqual([]);
  });

  it("says how large a given program can become, what it costs, and whether a run would ask first", async () => {
    bench.write("loop.md", '1. {.repeat until={"tests":true} atMost=3}\n   1. Repair.\n');
    const model = ["--model", "own", "--price", "1,2", "--context-window", "4000"];
    const dry = ["Go on.", "--program", "loop.md", "--dry-run", ...model];
    const { code, stderr } = await bench.run([...dry, "--ask-above", "0.2"]);
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining("2 instructions; at most 3 steps, 3 checks and 606 model"),
    ]);
    expect(stderr).toContain("$0.22; more than the $0.20 of --ask-above: a run waits for approval first.\n");
    expect((await bench.run(dry)).stderr).toContain(
      "a run does not wait for approval below the $100.00 of --ask-above.\n",
    );
    expect(api.heard).toEqual([]);
  });

  it("refuses what a run would refuse", async () => {
    expect((await bench.run(["--from", "start", "--dry-run"])).code).toBe(2);
    expect((await bench.run(["Go on.", "--from", "no", "--dry-run"])).code).toBe(2);
    expect(api.heard).toEqual([]);
  });
});
