import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { aBench, type Bench } from "../../test/doubles/command.ts";

let bench: Bench;
beforeEach(() => {
  bench = aBench();
});
afterEach(() => bench.remove());

const post = (url: string, body: object): Promise<Response> =>
  fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

describe("a rehearsal", () => {
  it("needs no key and no network, says that it is one, and ends with a project that works", async () => {
    const { code, stdout, stderr } = await bench.run(["run", "--rehearse"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${join(bench.folder, "workspace/tally")}\n` });
    expect(stderr).toContain("This is a rehearsal: no model is asked, and nothing is paid.");
    expect(stderr).not.toMatch(/at most \$|no ceilings/);
    expect(stderr).toContain("Cost: nothing, this was a rehearsal.");
    // The command that was seen to start it.
    const [, command = "false"] = /^Try it: (cd workspace\/tally && node bin\/tally\.js .*)$/m.exec(stderr) ?? [];
    expect(spawnSync(command, { shell: true, cwd: bench.folder, env: { PATH: bench.env.PATH } }).status).toBe(0);
    const tried = spawnSync(process.execPath, ["--test"], { cwd: stdout.trim(), env: { PATH: bench.env.PATH } });
    expect(tried.status).toBe(0);
    const status = await bench.run(["status"]);
    expect(status.stdout).toMatch(/^files +\S+workspace\/tally\nnext +l2mac open \w{6} /m);
  });

  it("of the domain without tests writes texts, and offers no tests to try", async () => {
    const { code, stdout, stderr } = await bench.run(["A guide to tallies", "--rehearse", "--domain", "custom"]);
    expect(code).toBe(0);
    expect(stderr).toContain('The scene "pigeonholes"');
    expect(stderr).toMatch(/^Try it: read workspace\/guide-tallies\/README\.md$/m);
    expect(readdirSync(stdout.trim())).toContain("outline.md");
  });

  it("with a program of the user's says that the answers do not fit it", async () => {
    bench.write("program.md", "1. Count words\n");
    const { stderr } = await bench.run(["Count words", "--rehearse", "--program", "program.md", "--max-turns", "1"]);
    expect(stderr).toContain("files and tests will not fit its titles");
  });

  it("prints no notices with --quiet", async () => {
    bench.write("old.txt", "1\n");
    const { code, stderr } = await bench.run(["plan", "--rehearse", "--quiet", "--from", "."]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^Cost: \$0\.00\.\nNext: l2mac approve/);
  });

  it("says plainly that its scene does not depend on a task that is given", async () => {
    const { stderr } = await bench.run(["Build a rocket", "--rehearse", "--no-tests", "--parallel", "4"]);
    expect(stderr).toContain("was written beforehand and does not depend on your task");
    expect(stderr).toContain("does not say what its instructions need, so they are executed one at a time; --parallel");
  });

  it("is chosen by its name as by its flag: in a command, a configuration file and a variable", async () => {
    const named = await bench.run(["plan", "--model", "rehearsal"]);
    expect(named).toMatchObject({ code: 0, stderr: expect.stringContaining("This is a rehearsal: no model is asked") });
    bench.configure({ model: "rehearsal" });
    expect((await bench.run(["plan", "A b c", "--json"])).code).toBe(0);
    expect((await bench.run(["doctor"])).stdout).toMatch(/✔ model +rehearsal: written scenes, no key, no cost/);
    const runs = (await bench.run(["list", "--json"])).stdout.trim().split("\n");
    expect(runs.map((line) => JSON.parse(line).profile.model)).toEqual(["rehearsal", "rehearsal"]);
  });

  it("is what a server computes where its configuration names it", async () => {
    const served = bench.start(["serve", "--port", "0"]);
    await served.says("Ctrl-C stops");
    const url = await served.answers();
    const asked = await post(`${url}/runs`, { task: "Keep a tally", model: "rehearsal", approve: "plan" });
    bench.env.L2MAC_MODEL = "rehearsal";
    const other = bench.start(["serve", "--port", "0"]);
    await other.says("Ctrl-C stops");
    const configured = await post(`${await other.answers()}/runs`, { task: "Keep a tally", approve: "plan" });
    for (const each of [served, other]) each.child.kill("SIGKILL");
    await Promise.all([served.ended(), other.ended()]);
    expect([asked.status, configured.status]).toEqual([202, 202]);
  });

  it("is what the library computes where it is the model", async () => {
    const { generateCodebase } = await import("../index.ts");
    const home = join(bench.folder, ".l2mac");
    const options = { home, env: bench.env, approve: "plan" } as const;
    const failed = await generateCodebase("Keep a tally", { ...options, model: "rehearsal" }).catch((error) => error);
    expect(failed).toMatchObject({ kept: { run: { profile: { model: "rehearsal" } }, cost: { usd: 0 } } });
  });

  it("of a book delivers its readable forms", async () => {
    const { code, stdout } = await bench.run(["run", "--rehearse", "--domain", "book"]);
    expect(code).toBe(0);
    const names = (await bench.run(["list", "--json"])).stdout;
    expect(JSON.parse(names)).toMatchObject({ options: { domain: "book" }, status: "completed" });
    expect(readdirSync(stdout.trim()).filter((name) => /\.(epub|html|pdf)$/.test(name))).toHaveLength(3);
  });
});
