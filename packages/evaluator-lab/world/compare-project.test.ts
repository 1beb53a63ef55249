/** What is compared with a verdict is a truth that shows again. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { newFolder, removeFolders } from "../../../test/doubles/evaluation.ts";
import { outcomeOf } from "./compare.ts";
import { compareProject } from "./compare-project.ts";
import { keepTruths } from "./truth.ts";

afterAll(removeFolders);

/** `passes`: a condition of the shell on $n, which says how often the tests ran. */
async function outcome(passes: string): Promise<string> {
  const folder = newFolder();
  mkdirSync(join(folder, "trees"));
  const runs = `${folder}/runs`;
  const [compared] = await compareProject(
    {
      ...{ from: "case", name: "counted", version: "1", licence: "MIT", runner: "sh", third: 2 },
      ...{ files: { "a.txt": "" }, test: [`echo >> ${runs}; n=$(wc -l < ${runs}); [ ${passes} ]`] },
    },
    {
      ...{ folder, python: "python3", seed: 1, truths: keepTruths(folder), takeMutant: () => false },
      judge: async () => ({ colour: "green", cause: "", said: "", seconds: 0 }),
    },
  );
  return compared ? outcomeOf(compared) : "nothing";
}

describe("a green verdict", () => {
  it("is false where the project's own runner is red again", async () => {
    expect(await outcome("$n = 0")).toBe("false green");
  });

  it("agrees where that was red only once, and then green twice", async () => {
    expect(await outcome("$n -ge 2")).toBe("agree");
  });

  it("is compared with nothing where that is red now and then", async () => {
    expect(await outcome("$((n % 2)) = 0")).toBe("truth unknown");
  });
});
