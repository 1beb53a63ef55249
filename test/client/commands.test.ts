/** The commands, typed beside a server's address: the same as on the computer that has the runs, as far as that can be. */
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callCommand } from "../doubles/called-command.ts";
import { aBench, type Bench, type Ended, type Started } from "../doubles/command.ts";
import { startProgramServer } from "../servers/program-server.ts";
import type { ScriptedServer } from "../servers/scripted-openai.ts";

const TASK = "Write three parts.\n\n1. The first part.\n2. The second part.";

/** `there` computes and has the runs; `here` knows its address. */
let models: ScriptedServer;
let there: Bench;
let here: Bench;
let serving: Started;
let whole: Ended;
let part: Ended;
beforeAll(async () => {
  models = await startProgramServer({ instructions: 3 });
  there = aBench({ OPENAI_BASE_URL: models.url, L2MAC_MODEL: "scripted" });
  serving = there.start(["serve", "--port", "0"]);
  await serving.says("Ctrl-C stops");
  here = aBench({ L2MAC_API_URL: await serving.answers() });
  whole = await here.run([TASK, "--name", "whole"]);
  part = await here.run([TASK, "--name", "part", "--max-turns", "5", "--json"]);
});
afterAll(async () => {
  serving.child.kill("SIGKILL");
  await serving.ended();
  await models.close();
  here.remove();
  there.remove();
});

const remoteLine = /^Remote: http:\/\/127\.0\.0\.1:\d+ as the user of this computer \(L2MAC_API_URL\)(?:\n|$)/;
const lines = (text: string) => text.trim().split("\n");

describe("run", () => {
  it("computes there, shows the same progress here, and delivers here", () => {
    expect(whole).toMatchObject({ code: 0, stdout: `${join(here.folder, "workspace/whole")}\n` });
    expect(whole.stderr).toMatch(remoteLine);
    expect(whole.stderr).toMatch(
      /^l2mac \d.*run \w{26} \(whole\).*model scripted at 127.*at http:\/\/127\.0\.0\.1:\d+$/m,
    );
    expect(whole.stderr).toContain("✔ 3/3 Part 3");
    expect(whole.stderr).toContain(`6 files in ${join(here.folder, "workspace/whole")}`);
    expect(here.read("workspace/whole/parts/part-2.txt")).toBe("part 2\nof many\n");
    expect(existsSync(join(there.folder, "workspace"))).toBe(false);
  });

  it("ends with the run's exit code, events as JSON lines, and what comes next", () => {
    expect(part.code).toBe(7);
    expect(part.stderr).toMatch(/Next: l2mac resume \w{6} --max-turns 10\n/);
    const said = lines(part.stdout).map((line) => JSON.parse(line));
    expect(said.slice(0, -1).map(({ seq }) => seq)).toEqual(said.slice(0, -1).map((_, index) => index + 1));
    expect(said.at(-1)).toMatchObject({
      type: "result",
      status: "partial",
      exitCode: 7,
      out: join(here.folder, "workspace/part"),
    });
  });

  it("takes no folder that is not empty", async () => {
    expect(await here.run([TASK, "--out", "workspace/whole"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("is not empty"),
    });
  });
});

/** These only look, so that they need no process of their own. */
const LOOKING = ["tree", "cat", "log", "show", "list", "status", "get"];

/**
 * What it says of the same run on both sides, but for the line that says where. One after the other: what takes the run
 * for itself would be shown the other one.
 */
async function both(...args: string[]): Promise<[Ended, Ended]> {
  const looks = LOOKING.includes(args[0] ?? "") && !args.includes("--follow");
  const on = (bench: Bench): Promise<Ended> => (looks ? callCommand(args, bench) : bench.run(args));
  const local = await on(there);
  const remote = await on(here);
  expect(remote.stderr).toMatch(remoteLine);
  return [local, { ...remote, stderr: remote.stderr.replace(remoteLine, "") }];
}

describe("what a run is and made is the same there and here:", () => {
  it.each([
    ["tree", "whole"],
    ["tree", "whole", "--at", "1"],
    ["tree", "whole", "--at", "0"],
    ["tree", "whole", "--at", "9"],
    ["tree", "whole", "--json"],
    ["cat", "whole", "parts/part-2.txt"],
    ["cat", "whole", "parts/part-2.txt", "--at", "2"],
    ["cat", "whole", "parts/part-3.txt", "--at", "2"],
    ["cat", "whole", "parts/prat-2.txt"],
    ["cat", "whole", "../x"],
    ["log", "part"],
    ["log", "part", "--json", "--after", "3"],
    ["log", "part", "--follow"],
    ["log", "part", "--after", "x"],
    ["show", "whole", "2.1"],
    ["show", "part", "1", "--json"],
    ["watch", "part"],
    ["watch", "part", "--json"],
    ["list", "--json"],
    ["replay", "whole"],
    ["replay", "part", "--json"],
    ["cancel", "part"],
    ["resume", "part"],
    ["resume", "part", "--max-turns", "2"],
    ["resume", "part", "--max-tokens", "1"],
    ["status", "nobody"],
    ["status", "0"],
    ["get", "nobody"],
  ])("%s %s %s %s", async (...args) => {
    const words = args.filter((word) => word !== undefined);
    const [local, remote] = words.includes("x")
      ? [await there.run(words), await here.run(words)]
      : await both(...words);
    expect({ ...remote, stdout: parsed(remote.stdout) }).toEqual({ ...local, stdout: parsed(local.stdout) });
  });

  it("status, with the folder of this computer", async () => {
    const [local, remote] = await both("status", "whole");
    const folder = join(here.folder, "workspace/whole");
    expect(remote.stdout).toBe(local.stdout.replace(/^files +-$/m, `files     ${folder}`));
    const [inJson, here_] = await both("status", "whole", "--json");
    expect(parsed(here_.stdout)).toEqual(parsed(inJson.stdout));
  });

  it("list, but for the age", async () => {
    const [local, remote] = await both("list");
    const ageless = (text: string) => text.replace(/ \d+[smh]\d* /g, " ").replace(/ +/g, " ");
    expect(ageless(remote.stdout)).toBe(ageless(local.stdout));
  });
});

/** Objects are the same in whatever order their fields come. */
const parsed = (text: string): unknown => (text.startsWith("{") ? lines(text).map((line) => JSON.parse(line)) : text);

describe("get", () => {
  it("unpacks into a folder of its own, keeps what was changed there, and never takes another's", async () => {
    expect(await here.run(["get", "whole", "--out", "copy"])).toMatchObject({
      code: 0,
      stdout: `${join(here.folder, "copy")}\n`,
    });
    here.write("copy/parts/part-1.txt", "my own words\n");
    const again = await here.run(["get", "whole", "--out", "copy"]);
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining("Not overwritten: parts/part-1.txt") });
    expect(here.read("copy/parts/part-1.txt")).toBe("my own words\n");
    const foreign = await here.run(["get", "part", "--out", "copy"]);
    expect(foreign).toMatchObject({ code: 2, stderr: expect.stringContaining("this run was not delivered there") });
  });

  it("says of a place that can be no folder that it can be none", async () => {
    const { code, stderr } = await here.run(["get", "whole", "--out", "/dev/null/x"]);
    expect(stderr).toContain("/dev/null/x cannot be a folder: something that is none is there, or on the way to it.");
    expect(code).toBe(2);
  });

  it("goes where the run was delivered before", async () => {
    expect(await here.run(["get", "whole"])).toMatchObject({
      code: 0,
      stdout: whole.stdout.replace("workspace/whole", "copy"),
    });
  });
});

describe("resume", () => {
  it("goes on there with higher ceilings, shows what is new, and delivers into the same folder", async () => {
    const resumed = await here.run(["resume", "part", "--max-turns", "50"]);
    expect(resumed).toMatchObject({ code: 0, stdout: `${join(here.folder, "workspace/part")}\n` });
    expect(resumed.stderr).not.toContain("✔ 1/3");
    expect(resumed.stderr).toContain("✔ 3/3");
    expect(readdirSync(join(here.folder, "workspace/part/parts"))).toHaveLength(3);
  });
});

describe("a run that starts from existing files", () => {
  it("has them from its beginning, and is replayed from a journal that lies elsewhere", async () => {
    mkdirSync(join(here.folder, "start"));
    here.write("start/own.txt", "mine\n");
    const args = [TASK, "--from", "start", "--name", "started", "--out", "started"];
    expect((await here.run(args)).code).toBe(0);
    expect(here.read("started/own.txt")).toBe("mine\n");
    expect((await here.run(["cat", "started", "own.txt", "--at", "0"])).stdout).toBe("mine\n");
    const replayed = await here.run(["replay", "started"]);
    expect(replayed).toMatchObject({ code: 0, stdout: expect.stringContaining("the same files") });
    expect(existsSync(join(here.folder, ".l2mac/registry.sqlite"))).toBe(false);
  });
});

describe("a rehearsal", () => {
  it("is played there", async () => {
    const { code, stdout, stderr } = await here.run(["run", "--rehearse", "--no-tests", "--out", "rehearsed"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${join(here.folder, "rehearsed")}\n` });
    expect(stderr).toContain("This is a rehearsal");
    expect(stderr).toContain("Cost: nothing, this was a rehearsal.");
    expect(existsSync(join(here.folder, "rehearsed/package.json"))).toBe(true);
  });
});

describe("where the server is", () => {
  it("may be said by a flag, and is then said with the next command", async () => {
    const bare = aBench();
    const url = here.env.L2MAC_API_URL ?? "";
    const { stdout } = await bare.run(["status", "whole", "--remote", url]);
    expect(stdout).toMatch(new RegExp(`^next +l2mac get \\w{6} --remote ${url}$`, "m"));
    expect((await bare.run(["status", `--remote=${url}`, "whole"])).stdout).toBe(stdout);
    const refused = await bare.run(["cancel", "whole", "--remote", url]);
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(`Next: l2mac status \\w{26} --remote ${url}`),
    });
    bare.remove();
  });

  it("may stand in a file, and the word after the flag is then no address", async () => {
    const bare = aBench();
    bare.configure({ apiUrl: here.env.L2MAC_API_URL });
    expect(await bare.run(["status"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("There are no runs in"),
    });
    const { stdout } = await bare.run(["status", "--remote", "whole"]);
    expect(stdout).toMatch(/^next +l2mac get \w{6} --remote$/m);
    bare.remove();
  });

  it("is asked of CloudFormation otherwise, which needs a region and credentials", async () => {
    const bare = aBench({ AWS_EC2_METADATA_DISABLED: "true" });
    const ended = await bare.run(["list", "--remote"]);
    expect(ended).toMatchObject({ code: 3, stdout: "" });
    expect(ended.stderr).toMatch(/It is not known where the API is: Region is missing/);
    expect(ended.stderr).toContain("L2MAC_API_URL");
    bare.remove();
  });

  it("is asked with credentials, or else the next thing is to sign in", async () => {
    const bare = aBench({ AWS_EC2_METADATA_DISABLED: "true", AWS_REGION: "eu-west-1" });
    const ended = await bare.run(["list", "--remote"]);
    expect(ended).toMatchObject({ code: 3, stdout: "" });
    expect(ended.stderr).toMatch(/Could not load credentials[\s\S]*Next: Sign in \(aws sso login.*AWS_PROFILE/);
    bare.remove();
  });

  it("is asked as a profile that exists", async () => {
    const bare = aBench({ AWS_EC2_METADATA_DISABLED: "true", AWS_REGION: "eu-west-1", AWS_PROFILE: "nosuch" });
    for (const args of [
      ["list", "--remote"],
      ["list", "--remote", "https://example.com/v1"],
      ["doctor", "--remote"],
    ]) {
      const ended = await bare.run(args);
      expect(ended).toMatchObject({ code: 3, stdout: "" });
      expect(ended.stderr).toMatch(
        /^l2mac: There is no AWS profile nosuch: neither in .*config nor in .*credentials\.\n/,
      );
    }
    bare.remove();
  });

  it.each(["htps://foo.bar/v1", "htp:/bad"])("looks like an address although it is none: %s", async (wrong) => {
    const bare = aBench();
    for (const flags of [["--remote", wrong], [`--remote=${wrong}`]]) {
      const ended = await bare.run(["list", ...flags]);
      expect(ended).toMatchObject({ code: 3, stderr: expect.stringContaining(`it is no https address (${wrong})`) });
    }
    bare.remove();
  });

  it("has to be an API: what is elsewhere on the server is none, and the same command is no way out", async () => {
    const bare = aBench();
    const url = `${here.env.L2MAC_API_URL}/v2`;
    for (const command of ["list", "status"]) {
      const { code, stderr } = await bare.run([command, "--remote", url]);
      expect(stderr).toContain(`The address ${url} leads to no L2MAC API (HTTP 404): its path is /v2.`);
      expect(stderr).not.toContain("Next: l2mac list");
      expect(code).toBe(2);
    }
    bare.remove();
  });

  it("must be safe, and somebody must listen there", async () => {
    const bare = aBench();
    const unsafe = await bare.run(["list", "--remote", "http://example.com/v1"]);
    expect(unsafe).toMatchObject({ code: 3, stderr: expect.stringContaining("without TLS") });
    const refused = await bare.run(["list", "--remote", "http://127.0.0.1:2"]);
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining("reached: nothing listens there") });
    bare.remove();
  });
});

describe("what only this computer can do", () => {
  it.each([
    [["serve", "--remote"], /this computer/],
    [["init", "--remote"], /this computer/],
    [["run", "x y", "--base-url", "http://127.0.0.1:9/v1", "--remote"], /--base-url says nothing to --remote/],
  ])("%j is refused, with the reason", async (args, why) => {
    const ended = await here.run(args);
    expect(ended).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(why) });
  });
});

describe("delete", () => {
  it("removes the run there, and what this computer remembers of it", async () => {
    const { id } = JSON.parse((await here.run(["status", "whole", "--json"])).stdout);
    expect(existsSync(join(here.folder, ".l2mac", "remote", id))).toBe(true);
    expect(await here.run(["delete", "whole"])).toMatchObject({ code: 2 });
    const { code, stderr } = await here.run(["delete", "whole", "--yes"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining(`Run ${id.slice(-6)} is deleted.`) });
    expect(existsSync(join(here.folder, ".l2mac", "remote", id))).toBe(false);
    expect(existsSync(join(there.folder, ".l2mac", "runs", id))).toBe(false);
    expect(await here.run(["delete", id, "--yes"])).toMatchObject({ code: 2 });
    expect(here.read("workspace/whole/parts/part-2.txt")).toBe("part 2\nof many\n");
  });
});
