/** What of a page shuts people out, by the rules of axe. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

/** Somebody else's eyes: the rules of axe, of the grades that shut people out. */
export async function barriers(page: Page): Promise<string[]> {
  const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  await page.evaluate(axe);
  const violations = await page.evaluate("axe.run().then(({ violations }) => violations)");
  return (violations as { id: string; impact: string; nodes: { html: string }[] }[])
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}
