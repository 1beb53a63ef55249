import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { HOST_DIFFERENCES } from "./host-differences.ts";

const textOf = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

describe("where the two evaluators differ", () => {
  it("is documented, each difference in the same words, and nothing more", () => {
    const rows = HOST_DIFFERENCES.map(({ what, here, there }) => `| ${what} | ${here} | ${there} |`);
    const [, section = ""] = textOf("docs/aws.md").split("### Where the two evaluators differ\n");
    const table = section.split("\n\n").find((part) => part.startsWith("|")) ?? "";
    expect(table.split("\n").slice(2)).toEqual(rows);
  });

  it("is linked from the page about the sandbox and from the list of limits", () => {
    expect(textOf("docs/sandbox.md")).toContain("aws.md#where-the-two-evaluators-differ");
    expect(textOf("lib/core/limits.ts")).toContain("host-differences.ts");
  });
});
