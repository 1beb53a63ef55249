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

describe("a rehearsal", () => {
  it("needs no key and no network, says that it is one, and ends with a project that works", async () => {
    const { code, stdout, stderr } = await bench.run(["run", "--rehearse"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${join(bench.folder, "workspace/tally")}\n` });
    expect(stderr).toContain("This is a rehearsal: no model is asked, and nothing is paid.");
    expect(stderr).toContain("Cost: nothing, this was a rehearsal.");
    expect(stderr).toContain("Try it: cd workspace/tally && node --test");
    const tried = spawnSync(process.execPath, ["--test"], { cwd: stdout.trim(), env: { PATH: bench.env.PATH } });
    expect(tried.status).toBe(0);
  });

  it("says plainly that its scene does not depend on a task that is given", async () => {
    const { stderr } = await bench.run(["Build a rocket", "--rehearse", "--no-tests"]);
    expect(stderr).toContain("was written beforehand and does not depend on your task");
  });

  it("of a book delivers its readable forms", async () => {
    const { code, stdout } = await bench.run(["run", "--rehearse", "--domain", "book"]);
    expect(code).toBe(0);
    const names = (await bench.run(["list", "--json"])).stdout;
    expect(JSON.parse(names)).toMatchObject({ options: { domain: "book" }, status: "completed" });
    expect(readdirSync(stdout.trim()).filter((name) => /\.(epub|html)$/.test(name))).toHaveLength(2);
  });
});
