import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { evaluation, removeFolders } from "../../../../test/doubles/evaluation.ts";
import { noEnvironment } from "../../language.ts";

afterAll(removeFolders);

describe("a project with a compiler of its own", () => {
  const folder = join(import.meta.dirname, "../../../../node_modules");
  const environment = { ...noEnvironment, nodeModules: [{ below: "", folder }] };
  const settings = { "tsconfig.json": '{ "compilerOptions": { "strict": true, "types": [] }, "include": ["*.ts"] }' };
  const checked = async (source: string, paths?: string[]) =>
    (await evaluation({ ...settings, "a.ts": source }, { syntax: paths ? { paths } : {}, environment })).syntax;

  it("is checked by it, with the place of each error", async () => {
    expect(await checked("export const a: number = 1;\n")).toEqual({ status: "passed", errors: [] });
    expect(await checked("export const a: string = '';\nexport const b: string = 1;\n")).toMatchObject({
      status: "failed",
      errors: [{ path: "a.ts", line: 2, column: 14, rule: "TS2322" }],
    });
  });

  it("is not held responsible for packages that could not be had, and for everything else it is", async () => {
    const lacking = { ...environment, missing: ["left-pad@^1: no such package", "@types/jest@*: no such package"] };
    const check = async (files: Record<string, string>) =>
      (await evaluation({ ...settings, ...files }, { syntax: {}, environment: lacking })).syntax;
    const uses = "import pad from 'left-pad';\nexport const a = pad('x', (y) => y);\n";
    expect(await check({ "a.ts": uses })).toEqual({
      ...{ status: "not_run", reason: "package_missing", detail: "left-pad", errors: [] },
    });
    const types = { "tsconfig.json": '{ "compilerOptions": { "types": ["jest"] } }' };
    expect(await check({ ...types, "a.ts": "export {};\n" })).toMatchObject({ reason: "package_missing" });
    expect(await check({ "a.ts": `${uses}export const b: string = 1;\n` })).toMatchObject({
      status: "failed",
      errors: [{ line: 3, rule: "TS2322" }],
    });
    expect(await check({ "a.ts": "import x from 'never-asked-for';\nexport { x };\n" })).toMatchObject({
      status: "failed",
      errors: [{ rule: "TS2307" }],
    });
  });

  it("is checked in every package, and by the settings that others only refer to", async () => {
    const files = {
      "web/package.json": "{}",
      "web/tsconfig.json": '{ "files": [], "references": [{ "path": "./tsconfig.app.json" }] }',
      "web/tsconfig.app.json": settings["tsconfig.json"],
      "web/a.ts": "export const a: string = 1;\n",
    };
    expect((await evaluation(files, { syntax: {}, environment })).syntax).toMatchObject({
      status: "failed",
      errors: [{ path: "web/a.ts", line: 1, rule: "TS2322" }],
    });
  });

  it("is only parsed while it is written, so that a turn costs what it changed", async () => {
    expect((await checked("export const b: string = 1;\n", ["a.ts"])).status).toBe("passed");
  });
});
