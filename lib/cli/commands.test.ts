import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aBench, type Bench } from "../../test/doubles/command.ts";
import { startProgramServer } from "../../test/servers/program-server.ts";

const TASK = "Write three parts.\n\n1. The first part.\n2. The second part.";

/** Two runs, both computed: one to the end, one until its turns were used up. */
let bench: Bench;
let done: string;
let stopped: string;
beforeAll(async () => {
  bench = aBench();
  const server = await startProgramServer({ instructions: 3 });
  const at = ["--base-url", server.url, "--model", "scripted", "--json"];
  const [one, two] = [
    await bench.run([TASK, "--name", "whole", ...at]),
    await bench.run([TASK, "--name", "part", "--max-turns", "5", ...at]),
  ];
  const idOf = (stdout: string): string => JSON.parse(stdout.trim().split("\n").at(-1) ?? "").id;
  done = idOf(one.stdout);
  stopped = idOf(two.stdout);
  await server.close();
});
afterAll(() => bench.remove());

const lines = (text: string): string[] => text.trim().split("\n");

it("version prints the version, as --version does", async () => {
  const { stdout } = await bench.run(["version"]);
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect((await bench.run(["--version"])).stdout).toBe(stdout);
});

describe("list", () => {
  it("shows a line to a run, latest first, and JSON lines on request", async () => {
    const { stdout } = await bench.run(["list"]);
    expect(lines(stdout)).toEqual([
      expect.stringMatching(/^RUN +STATUS +DONE +COST +AGE +BEGAN +NAME$/),
      expect.stringMatching(
        new RegExp(`^${stopped.slice(-6)} +partial \\(turns\\) +1/3 +\\$0\\.00 +\\w+ +[\\d-]+ [\\d:]+ +part$`),
      ),
      expect.stringMatching(new RegExp(`^${done.slice(-6)} +completed +3/3 +\\$0\\.00 +\\w+ +[\\d-]+ [\\d:]+ +whole$`)),
    ]);
    const json = lines((await bench.run(["list", "--json"])).stdout).map((line) => JSON.parse(line));
    expect(json.map(({ id }) => id)).toEqual([stopped, done]);
  });

  it("shows as many as are asked for, and says how more are seen", async () => {
    const { stdout, stderr } = await bench.run(["list", "--limit", "1"]);
    expect(lines(stdout)).toHaveLength(2);
    expect(stdout).toContain(" part\n");
    expect(stderr).toBe("There are more: l2mac list --limit 50\n");
    expect(lines((await bench.run(["list", "--limit", "1", "--json"])).stdout)).toHaveLength(1);
    expect((await bench.run(["list", "--limit", "2"])).stderr).toBe("");
    expect(await bench.run(["list", "--limit", "0"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("from 1 on"),
    });
  });

  it("says where there is nothing, and leaves nothing there", async () => {
    const empty = aBench();
    expect(await empty.run(["list"])).toMatchObject({
      code: 0,
      stdout: "",
      stderr: expect.stringContaining("no runs"),
    });
    expect(readdirSync(empty.folder)).toEqual([]);
    empty.remove();
  });
});

describe("a run is meant by", () => {
  it.each([
    ["its id", () => done],
    ["the end of its id, in any case", () => done.slice(-6).toLowerCase()],
    ["its name", () => "whole"],
  ])("%s", async (_, word) => {
    expect((await bench.run(["status", word()])).stdout).toContain(`run       ${done} (whole)`);
  });

  it("nothing at all: the latest", async () => {
    const { stdout } = await bench.run(["status"]);
    expect(stdout).toMatch(
      new RegExp(`run +${stopped}[\\s\\S]*status +partial[\\s\\S]*next +l2mac resume .* --max-turns 10\n`),
    );
  });

  it("not by what several have, nor by what none has", async () => {
    const several = await bench.run(["status", done.slice(0, 4)]);
    expect(several).toMatchObject({ code: 2, stderr: expect.stringContaining("can mean 2 runs") });
    expect(await bench.run(["status", "nobody"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("no run nobody"),
    });
  });
});

describe("what a run made", () => {
  it("is listed, now and as an instruction left it", async () => {
    const paths = async (...args: string[]) =>
      lines((await bench.run(["tree", "whole", "--json", ...args])).stdout)
        .filter(Boolean)
        .map((line) => JSON.parse(line).path);
    expect(await paths()).toEqual(expect.arrayContaining(["parts/part-1.txt", "parts/part-3.txt"]));
    expect(await paths("--at", "1")).not.toContain("parts/part-2.txt");
    expect(await paths("--at", "0")).toEqual([]);
    expect(await bench.run(["tree", "whole", "--at", "9"])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/Run \w{6} has no files of instruction 9: it has accepted instructions up to 3\./),
    });
  });

  it("is printed byte for byte, and a mistyped path is put right", async () => {
    expect((await bench.run(["cat", "whole", "parts/part-2.txt"])).stdout).toBe("part 2\nof many\n");
    expect((await bench.run(["cat", "whole", "parts/part-2.txt", "--at", "2"])).stdout).toBe("part 2\nof many\n");
    const wrong = await bench.run(["cat", "whole", "parts/prat-2.txt"]);
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("Did you mean parts/part-") });
  });

  it("and was not there yet at an instruction, is said to come later", async () => {
    const early = await bench.run(["cat", "whole", "parts/part-3.txt", "--at", "1"]);
    const says = "has no file parts/part-3.txt at instruction 1 yet; it is there from instruction 3 on.";
    expect(early).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(says) });
  });

  it("is unpacked into a folder of its own, never over other files", async () => {
    const { code, stdout } = await bench.run(["get", "whole", "--out", "copy"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${join(bench.folder, "copy")}\n` });
    expect(bench.read("copy/parts/part-3.txt")).toBe("part 3\nof many\n");
    expect((await bench.run(["get", "whole", "--out", "copy"])).code).toBe(0);
    const foreign = await bench.run(["get", "part", "--out", "copy"]);
    expect(foreign).toMatchObject({ code: 2, stderr: expect.stringContaining("this run was not delivered there") });
  });
});

describe("log", () => {
  it("shows what happened, or what happened after an event, in words or as it is stored", async () => {
    const { stdout } = await bench.run(["log", "whole"]);
    expect(stdout).toMatch(
      /^ {5}\d{4}-\d\d-\d\d, times in UTC(?:[+-]\d\d:\d\d)?\n {3}1 \d\d:\d\d:\d\d task: Write three parts/,
    );
    expect(stdout).toMatch(/✔ 3\/3 Part 3/);
    const after = lines((await bench.run(["log", "whole", "--json", "--after", "3"])).stdout).map((line) =>
      JSON.parse(line),
    );
    expect(after[0].seq).toBe(4);
    expect(after.at(-1)).toMatchObject({ type: "ended", status: "completed" });
  });

  it("follows an ended run to its end, and stops there", async () => {
    expect((await bench.run(["log", "whole", "--follow"])).stdout).toMatch(/ \d\d:\d\d:\d\d Completed\.\n$/);
  });
});

describe("replay", () => {
  it("computes the same files from the journal, with no server there", async () => {
    expect(await bench.run(["replay", "whole"])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("the same files"),
    });
    const json = JSON.parse((await bench.run(["replay", "whole", "--json"])).stdout);
    expect(json).toMatchObject({ run: done, same: true, difference: null });
  });
});

describe("watch", () => {
  it("says how an ended run ended, with its exit code", async () => {
    expect((await bench.run(["watch", "part"])).code).toBe(7);
    const { code, stdout } = await bench.run(["watch", "whole", "--json"]);
    expect({ code, last: JSON.parse(lines(stdout).at(-1) ?? "") }).toMatchObject({
      code: 0,
      last: { type: "result", id: done },
    });
  });
});

describe("a reader that goes away", () => {
  it("ends the command quietly", async () => {
    const reading = bench.start(["log", "whole", "--json"]);
    reading.child.stdout?.destroy();
    expect((await reading.ended()).stderr).toBe("");
  });
});

describe("doctor", () => {
  it("finds what a run needs here, and says that one could start", async () => {
    const server = await startProgramServer({ instructions: 1, dialect: "llama.cpp" });
    const { code, stdout } = await bench.run(["doctor", "--base-url", server.url]);
    await server.close();
    expect(stdout).toMatch(/✔ server +127\.0\.0\.1:\d+ answers \(llama\.cpp/);
    expect(stdout).toMatch(/✔ model +scripted, Chat Completions, calls by JSON schema, window 8\.19k, \$0 in/);
    expect({ code, last: lines(stdout).at(-1) }).toEqual({ code: 0, last: 'A run can start: l2mac run "<task>"' });
  });

  it("names what is missing, with exit code 3, and shows no key", async () => {
    bench.write("l2mac.config.json", '{"bugdet": 3}');
    const { code, stdout } = await bench.run(["doctor", "--json"]);
    expect(code).toBe(3);
    const { canStart, findings } = JSON.parse(stdout);
    expect({ canStart, broken: findings.filter(({ state }: { state: string }) => state === "missing") }).toMatchObject({
      canStart: false,
      broken: [{ what: "config", says: expect.stringContaining("no field bugdet") }],
    });
    bench.write("l2mac.config.json", "{}");
    const without = await bench.run(["doctor"]);
    expect(without).toMatchObject({ code: 3, stdout: expect.stringContaining("no key of a provider is set") });
  });

  it("says how large the cache is, and what it is bounded by", async () => {
    const fresh = aBench();
    mkdirSync(join(fresh.folder, ".l2mac/cache/environments"), { recursive: true });
    fresh.write(".l2mac/cache/environments/one", "x".repeat(2048));
    const { stdout } = await fresh.run(["doctor"]);
    fresh.remove();
    expect(stdout).toMatch(
      /✔ cache +2\.0 KiB in .*cache: packages are removed above 10\.0 GiB, or when unused for 30d/,
    );
  });

  it("looks through a prompt pack", async () => {
    expect((await bench.run(["doctor", "--prompts", "nowhere"])).stdout).toMatch(
      /✘ prompts +.*nowhere holds no prompt pack/,
    );
  });
});

describe("delete", () => {
  it("asks first, and requires --yes without a terminal", async () => {
    const { code, stderr } = await bench.run(["delete", "whole"]);
    expect(code).toBe(2);
    expect(stderr).toContain("Nothing was deleted.");
    expect(stderr).toContain(`Next: l2mac delete ${done.slice(-6)} --yes`);
    expect((await bench.run(["status", "whole"])).code).toBe(0);
  });

  it("removes a run with all that it made, and leaves what was delivered", async () => {
    const { code, stdout, stderr } = await bench.run(["delete", "whole", "--yes"]);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "", stderr: `Run ${done.slice(-6)} is deleted.\n` });
    expect(await bench.run(["status", "whole"])).toMatchObject({ code: 2 });
    expect(existsSync(join(bench.folder, ".l2mac", "runs", done))).toBe(false);
    expect(existsSync(join(bench.folder, ".l2mac", "runs", stopped))).toBe(true);
    expect(existsSync(join(bench.folder, "workspace", "whole"))).toBe(true);
  });
});
