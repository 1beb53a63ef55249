/** docs/checklist.md: each row has a command that a shell takes, and what it must print. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { awsCommands, checklistRows } from "./checklist.ts";

const rows = checklistRows();

describe("what only an account can show", () => {
  it("has a command, what it must print, and what to do if it does not, in each row", () => {
    expect(rows.map(({ number }) => number)).toEqual(rows.map((_, index) => index + 1));
    expect(rows.length).toBeGreaterThan(30);
    for (const { number, what, commands, prints, otherwise } of rows) {
      expect([number, commands.length > 0]).toEqual([number, true]);
      expect([number, Math.min(...[what, prints, otherwise].map((text) => text.length)) >= 2]).toEqual([number, true]);
    }
  });

  it.each([
    ...["Bedrock", "inference profile", "CodeBuild", "Alarms", "event bus", "Tenant isolation", "region", "from S3"],
    ...["Git server", "private API", "key of your own", "Idle costs", "Deletion"],
  ])("has a row about: %s", (feature) => {
    expect(rows.some(({ what }) => what.includes(feature))).toBe(true);
  });

  it("promises the tests of the scene that a remote rehearsal plays", () => {
    const played = new URL("../../examples/gallery/cli-javascript/transcript.txt", import.meta.url);
    const [, found = ""] = /^Kept: .*, (tests \d+\/\d+)\.$/m.exec(readFileSync(played, "utf8")) ?? [];
    expect(rows.find(({ what }) => what.includes("generated tests"))?.prints).toContain(`\`${found}\``);
  });

  it("has commands that a shell reads", () => {
    const script = rows.flatMap(({ commands }) => commands).join("\n");
    expect(spawnSync("bash", ["-n"], { input: script, encoding: "utf8" })).toMatchObject({ status: 0, stderr: "" });
    const checked = spawnSync("shellcheck", ["--shell=bash", "--exclude=SC2034", "-"], {
      ...{ input: `out() { echo "$1"; }\n${script}\n`, encoding: "utf8" },
    });
    if (!checked.error) expect(checked.stdout).toBe("");
  });
});

const python = join(process.env.L2MAC_EMULATORS ?? "", "moto/bin/python");

describe.skipIf(!existsSync(python))("the AWS CLI's own model (needs L2MAC_EMULATORS)", () => {
  it("has every operation and every option that the docs name", () => {
    const commands = awsCommands();
    expect(commands.length).toBeGreaterThan(30);
    const program = fileURLToPath(new URL("aws-commands.py", import.meta.url));
    const judged = spawnSync(python, [program], { input: JSON.stringify(commands), encoding: "utf8" });
    expect(judged.stderr).toBe("");
    expect(JSON.parse(judged.stdout)).toEqual([]);
  });
});
