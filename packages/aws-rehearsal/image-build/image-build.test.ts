import { expect, it } from "vitest";
import { rehearseImageBuild } from "./rehearse.ts";

it.skipIf(!process.version.startsWith("v24."))(
  "builds the evaluator's image in the account, each permission shown to be needed (needs Node 24)",
  async () => {
    const said: string[] = [];
    await rehearseImageBuild((line) => said.push(line));
    expect(said.filter((line) => line.includes("without it"))).toHaveLength(13);
  },
);
