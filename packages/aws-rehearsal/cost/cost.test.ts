/** docs/cost.md: its sums are right, and it agrees with the counted requests. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { PRICES } from "../../../lib/deployment/cost/prices.ts";
import { costOf, untrueRows } from "./cost.ts";

const page = readFileSync(new URL("../../../docs/cost.md", import.meta.url), "utf8");

const PRICE_OF: Record<string, number> = {
  "Step Functions transitions": PRICES.transition,
  "Lambda invocations": PRICES.invocation,
  "Lambda GB-s, arm64": PRICES.gbSecond,
  "Lambda GB-s of the evaluator, x86": PRICES.evaluatorGbSecond,
  "DynamoDB write units": PRICES.writeUnit,
  "DynamoDB read units": PRICES.readUnit,
  "S3 writes": PRICES.s3Write,
  "S3 reads": PRICES.s3Read,
};

it("multiplies counts with prices, and adds up", () => {
  let together = 0;
  for (const [what, price] of Object.entries(PRICE_OF)) {
    const [, count = "", usd = ""] =
      new RegExp(`^\\| ${what} \\| ([\\d,.]+) \\| \\$([\\d.]+) \\|$`, "m").exec(page) ?? [];
    expect(Number(usd), what).toBeCloseTo(Number(count.replace(",", "")) * price, 4);
    together += Number(usd);
  }
  expect(Number(/^\| \*\*together\*\* \| \| \*\*\$([\d.]+)\*\* \|$/m.exec(page)?.[1])).toBeCloseTo(together, 3);
});

it("is found untrue where what is counted differs by more than a tenth", () => {
  const counts = { transitions: 30, invocations: 0, gbSeconds: 0, evaluatorGbSeconds: 0, readUnits: 0, s3Reads: 0 };
  const rows = costOf({ instructions: 100, ...counts, writeUnits: 0, s3Writes: 0 }).filter(({ count }) => count > 0);
  expect(untrueRows("| Step Functions transitions | 28 | x |", rows)).toEqual([]);
  expect(untrueRows("| Step Functions transitions | 26 | x |", rows)).toHaveLength(1);
  expect(untrueRows("", rows)).toEqual(["Step Functions transitions: NaN in docs/cost.md, 30 counted"]);
});
