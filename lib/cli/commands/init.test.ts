/** `l2mac init`, through the whole command, and its questions. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { aBench, type Bench } from "../../../test/doubles/command.ts";
import { startProgramServer } from "../../../test/servers/program-server.ts";
import type { Shell } from "../display/shell.ts";
import type { Terminal } from "../display/terminal.ts";
import { askSettings } from "../settings/ask-settings.ts";
import { schemaFrom } from "./init.ts";

const open: Bench[] = [];
const bench = (env: Record<string, string> = {}): Bench => {
  const made = aBench(env);
  open.push(made);
  return made;
};
afterEach(() => {
  for (const each of open.splice(0)) each.remove();
});

const CONFIG = "l2mac.config.json";

describe("init", () => {
  it("writes a file once, without the key and without a path of this computer, and doctor finds it", async () => {
    const here = bench({ OPENAI_API_KEY: "sk-secret" });
    const flags = ["--yes", "--no-call", "--model", "gpt-5", "--budget", "2"];
    const { code, stdout } = await here.run(["init", ...flags]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${join(here.folder, CONFIG)}\n` });
    expect(JSON.parse(here.read(CONFIG))).toEqual({
      ...{ model: "gpt-5", budget: 2 },
    });
    const again = await here.run(["init", "--yes"]);
    expect(again).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("not overwritten") });
    expect((await here.run(["doctor"])).stdout).toMatch(/✔ config .*l2mac\.config\.json\n(.*\n)*✔ model +gpt-5,/);
    expect((await here.run(["init", "--yes", "--overwrite", "--no-call"])).code).toBe(0);
    expect(JSON.parse(here.read(CONFIG))).toMatchObject({ model: "openai/gpt-5.5", budget: 5 });
    expect(existsSync(join(here.folder, ".l2mac"))).toBe(false);
  });

  it("names the schema by a relative path where the package is in the project", () => {
    expect(schemaFrom("/shop", "/shop/node_modules/l2mac/docs/l2mac.config.schema.json")).toEqual({
      $schema: "./node_modules/l2mac/docs/l2mac.config.schema.json",
    });
    expect(schemaFrom("/shop", "/usr/lib/node_modules/l2mac/docs/l2mac.config.schema.json")).toEqual({});
  });

  it("leaves the model to the key that is set later", async () => {
    const here = bench();
    const { code, stderr } = await here.run(["init", "--yes"]);
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining("no key of a provider is set") });
    expect(JSON.parse(here.read(CONFIG))).toEqual({ budget: 5 });
    const unset = await here.run(["run", "a b"]);
    expect(unset).toMatchObject({ code: 3, stderr: expect.stringContaining("No model is chosen") });
    here.env.OPENAI_API_KEY = "sk-later";
    expect((await here.run(["doctor"])).stdout).toMatch(/✔ model +openai\/gpt-5\.5,/);
  });

  it("writes the user's own file where that is asked for", async () => {
    const here = bench();
    const { stdout } = await here.run(["init", "--user", "--yes", "--model", "rehearsal"]);
    expect(stdout).toBe(`${join(here.folder, "config/l2mac/config.json")}\n`);
    expect(JSON.parse(here.read("config/l2mac/config.json"))).toMatchObject({ model: "rehearsal", budget: 5 });
    expect(existsSync(join(here.folder, CONFIG))).toBe(false);
  });

  it("says in one line that nobody can answer, with the command that asks nothing", async () => {
    const here = bench();
    const { code, stdout, stderr } = await here.run(["init"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^l2mac: init asks .* Nothing was written\.\nNext: l2mac init --yes .*\n$/);
    expect(existsSync(join(here.folder, CONFIG))).toBe(false);
  });

  it("tries one call, and says what it cost", async () => {
    const server = await startProgramServer({ instructions: 1, dialect: "llama.cpp" });
    const here = bench();
    const ended = await here.run(["init", "--yes", "--base-url", server.url, "--model", "scripted"]);
    await server.close();
    expect(ended).toMatchObject({ code: 0, stderr: expect.stringMatching(/scripted answered in .*the call cost \$0/) });
    const gone = await here.run(["init", "--yes", "--overwrite", "--base-url", server.url, "--model", "scripted"]);
    expect(gone).toMatchObject({ code: 4, stderr: expect.stringContaining("The file is written; but a call failed:") });
    expect(existsSync(join(here.folder, CONFIG))).toBe(true);
  });

  it("writes what a run then takes: the model, and the folder of its files", async () => {
    const here = bench();
    await here.run(["init", "--yes", "--model", "rehearsal", "--workspace", "made"]);
    const { code, stdout } = await here.run(["run", "a b", "--name", "one"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${join(here.folder, "made/one")}\n` });
  });
});

describe("the questions of init", () => {
  const asked = async (answers: (string | undefined)[], env: Record<string, string> = { OPENAI_API_KEY: "k" }) => {
    const said: string[] = [];
    const terminal = {
      answer: async (question: string) => {
        said.push(question);
        return answers.shift();
      },
    } as Terminal;
    const shell = { env, cwd: "/", say: (line: string) => said.push(line) } as unknown as Shell;
    return { settings: await askSettings({}, { terminal, shell }), said };
  };

  it("are three, and an empty answer takes what is shown", async () => {
    const { settings, said } = await asked(["", "", ""]);
    expect(settings).toEqual({ model: "openai/gpt-5.5", budget: 5 });
    expect(said.filter((line) => line.endsWith("]"))).toEqual([
      expect.stringMatching(/^Which model\? .*\[openai\/gpt-5\.5\]$/),
      "Folder for the files of runs? [./workspace]",
      "At most how many US dollars for a run? [5]",
    ]);
  });

  it("leave the model to a key that is set later, where none is set", async () => {
    const { settings, said } = await asked(["", "", ""], {});
    expect(settings).toEqual({ budget: 5 });
    expect(said[0]).toMatch(/^Which model\? .*\[the key that is set chooses\]$/);
  });

  it("are asked again where an answer cannot be read, and end with Ctrl-D", async () => {
    const { settings, said } = await asked(["rehearsal", "made", "lots", "$2.50"]);
    expect(settings).toEqual({ model: "rehearsal", workspace: "made", budget: 2.5 });
    expect(said).toContain("That takes a number above 0, such as 2.50.");
    expect((await asked(["rehearsal", undefined])).settings).toBeUndefined();
  });
});
