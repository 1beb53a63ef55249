import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aBench, type Bench } from "../../../test/doubles/command.ts";

let bench: Bench;
beforeAll(async () => {
  bench = aBench({});
  expect(await bench.run(["run", "--rehearse", "--name", "tally"])).toMatchObject({ code: 0 });
});
afterAll(() => bench.remove());

describe("l2mac report", () => {
  it("writes a self-contained page, and its pictures beside it", async () => {
    const { code, stdout } = await bench.run(["report", "tally", "--out", "written"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${join(bench.folder, "written/index.html")}\n` });
    const page = readFileSync(join(bench.folder, "written/index.html"), "utf8");
    // Four pictures, each for a wide and for a narrow window; a rehearsal costs nothing.
    expect(page.match(/<svg /g)?.length).toBe(8);
    expect(page).toMatch(/<th scope="row" class="number">7<\/th>.*✔\saccepted/s);
    expect(page).toContain("tests: test/listing.test.js &gt; entries are shown oldest first (+1 more)");
    expect(page).toContain("<dt>Clean-room check</dt><dd>30 tests passed there");
    expect(page).toContain("src/ledger.js: created in 3.3");
    const written = readdirSync(join(bench.folder, "written/pictures")).toSorted();
    expect(written).toContain("files.svg");
    expect(written.filter((name) => name.endsWith(".csv"))).toHaveLength(4);
    const files = readFileSync(join(bench.folder, "written/pictures/files.csv"), "utf8");
    expect(files).toContain("7,4,notes/decisions.md,deleted,,\r\n");
    const tests = readFileSync(join(bench.folder, "written/pictures/tests.csv"), "utf8").trim().split("\r\n");
    expect(tests.at(-1)).toMatch(/^7,\d+,30,0,,$/);
  });

  it("says what to do next with the command as it was typed", async () => {
    bench.env.npm_command = "exec";
    const { code } = await bench.run(["report", "tally", "--out", "typed"]);
    delete bench.env.npm_command;
    expect(code).toBe(0);
    const page = readFileSync(join(bench.folder, "typed/index.html"), "utf8");
    expect(page).toMatch(/<dt>Next<\/dt><dd>npx l2mac get \w{6}<\/dd>/);
  });

  it("goes into no folder that holds something, and says where it would", async () => {
    mkdirSync(join(bench.folder, "mine"));
    bench.write("mine/letter.txt", "Dear you");
    const { code, stderr } = await bench.run(["report", "tally", "--out", "mine"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/mine is not empty\.\nNext: l2mac report \w{6} --out mine-2$/m);
    const [, out = ""] = /--out (\S+)/.exec(stderr) ?? [];
    expect(await bench.run(["report", "tally", "--out", out])).toMatchObject({ code: 0 });
    expect((await bench.run(["report", "tally", "--out", "mine"])).stderr).toMatch(/ --out mine-3$/m);
    const elsewhere = await bench.run(["report", "tally", "--out", "../mine-of-another/.."]);
    expect(elsewhere.stderr).toMatch(/ --out \/\S+-2$/m);
    expect(readdirSync(join(bench.folder, "mine"))).toEqual(["letter.txt"]);
  });
});
