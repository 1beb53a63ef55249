/** The bundle of the functions: what is deployed, run where no package can be found. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Bundle, bundleFunctions } from "../../lib/cloud/bundle.ts";

const into = mkdtempSync(join(tmpdir(), "l2mac-bundle-"));
const elsewhere = mkdtempSync(join(tmpdir(), "l2mac-deployed-"));
let built: Bundle;
let text: string;

beforeAll(() => {
  built = bundleFunctions(into);
  cpSync(built.folder, elsewhere, { recursive: true });
  text = readFileSync(join(elsewhere, "entry.mjs"), "utf8");
});
afterAll(() => {
  for (const folder of [into, elsewhere]) rmSync(folder, { recursive: true, force: true });
});

const digestOf = (content: string): string => createHash("sha256").update(content).digest("hex");

/** Runs a script beside the deployed bundle, as bare as can be. */
const beside = (script: string): string =>
  execFileSync(process.execPath, ["--input-type=module", "-e", script], {
    cwd: elsewhere,
    env: { NODE_OPTIONS: "", AWS_REGION: "eu-west-1" },
    encoding: "utf8",
  }).trim();

/** The entry, and the parts that it imports without being called. */
function loadedAtOnce(name = "entry.mjs", known = new Set<string>()): string[] {
  if (known.has(name)) return [];
  known.add(name);
  const imports = readFileSync(join(elsewhere, name), "utf8").matchAll(/(?:from|import)"\.\/(part-\w+\.mjs)"/g);
  for (const [, part = ""] of imports) loadedAtOnce(part, known);
  return [...known];
}

describe("the bundle of the functions", () => {
  it("exports the handlers, needs no package, and does nothing when it is imported", () => {
    const actual = beside(
      `const bundle = await import("./entry.mjs"); console.log(Object.keys(bundle).sort().join(" "));`,
    );
    expect(actual).toBe("api deliver execute notify plan recordFailure sweep");
  });

  it("says what its environment lacks, by an error that the state machine knows", () => {
    const actual = beside(
      `const { plan } = await import("./entry.mjs");
       await plan({ runId: "R", epoch: 1 }, {}).catch(({ name, message }) => console.log(name, message));`,
    );
    expect(actual).toMatch(/^L2mac\.UserError .*TABLE_NAME, BUCKET_NAME/);
  });

  it("takes at most 2 MB zipped, half of them the fonts of books, without its source maps", () => {
    const files = readdirSync(elsewhere, { recursive: true, encoding: "utf8" }).filter((path) => /\.\w+$/.test(path));
    expect(
      files.filter(
        (path) => !/^((entry|part-\w+)\.mjs|prompts\/\w+\/\w+\.(md|json)|rehearsals\/.+|fonts\/.+)$/.test(path),
      ),
    ).toEqual([]);
    const contents = files.map((path) => [path, readFileSync(join(elsewhere, path))] as const);
    expect(zipSync(Object.fromEntries(contents), { level: 9 }).length).toBeLessThanOrEqual(2 * 1024 * 1024);
  });

  it("holds what runs and nothing else: no cdk, no command, no sandbox", () => {
    const maps = readdirSync(built.sourceMaps).map((name) => readFileSync(join(built.sourceMaps, name), "utf8"));
    const sources = maps.flatMap((map) => (JSON.parse(map) as { sources: string[] }).sources);
    const own = sources.filter((path) => !path.includes("node_modules")).join("\n");
    expect(own).toContain("lambdas/execute.ts");
    expect(own).not.toMatch(/lib\/(cloud|cli|page)\/|lambdas\/evaluate\/|sqlite|sandbox/);
    expect(sources.filter((path) => /node_modules\/(aws-cdk|constructs|cdk-nag|jsonata)/.test(path))).toEqual([]);
  });

  it("loads late what few calls need: model servers, scenes, the API, books, searching; and no language but ours", () => {
    const sources = loadedAtOnce().flatMap((name) => {
      const map = readFileSync(join(built.sourceMaps, `${name}.map`), "utf8");
      return (JSON.parse(map) as { sources: string[] }).sources;
    });
    expect(sources.join("\n")).toContain("lambdas/execute.ts");
    const late =
      /\/(openai|hono|marked|pdfkit|fontkit|re2js|s3-request-presigner)\/|lib\/(api|book|model\/rehearsal)\/|zod\/.*\/locales\/(?!en\.)/;
    expect(sources.filter((path) => late.test(path))).toEqual([]);
  });

  it("is the same whenever it is built from the same sources", () => {
    const again = mkdtempSync(join(tmpdir(), "l2mac-bundle-"));
    const { folder } = bundleFunctions(again);
    expect(digestOf(readFileSync(join(folder, "entry.mjs"), "utf8"))).toBe(digestOf(text));
    rmSync(again, { recursive: true });
  });
});
