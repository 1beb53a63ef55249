import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { noEnvironment } from "../../lib/evaluator/language.ts";
import { type Files, layTree, newFolder, removeFolders } from "../../test/doubles/evaluation.ts";
import { createImageEnvironment } from "./image-environment.ts";

afterAll(removeFolders);

function image() {
  const folder = newFolder();
  for (const name of ["flask-3.1.3", "PyYAML-6.0.3"])
    mkdirSync(join(folder, "python", `${name}.dist-info`), { recursive: true });
  for (const [name, version] of [
    ["express", "5.3.0"],
    ["@types/node", "24.0.0"],
  ] as const) {
    mkdirSync(join(folder, "node_modules", name), { recursive: true });
    writeFileSync(join(folder, "node_modules", name, "package.json"), JSON.stringify({ version }));
  }
  return createImageEnvironment({
    nodeModules: join(folder, "node_modules"),
    pythonLibraries: () => [join(folder, "python")],
  });
}
const find = (files: Files) => image()(layTree(files));

describe("the packages of the evaluator's image", () => {
  it("are enough for a project that asks for those", async () => {
    const files = {
      "requirements.txt": "Flask>=3\npyyaml==6.0.3\ntomli; python_version < '3.11'\n",
      "package.json": '{"dependencies": {"express": "^5.0.0", "@types/node": "*"}}',
    };
    expect((await find(files)).missing).toEqual([]);
  });

  it("are named where a project asks for another, or another version of one", async () => {
    const files = {
      "requirements.txt": "flask==3.0.0\ndjango>=4\n-e ../other\n",
      "package.json": '{"dependencies": {"express": "^4.18.0", "koa": "^2"}}',
    };
    const { missing, available } = await find(files);
    expect(missing).toEqual([
      expect.stringContaining("-e ../other: refused"),
      "flask==3.0.0: the evaluator's image has 3.1.3",
      "django>=4: not in the evaluator's image",
      "express@^4.18.0: the evaluator's image has 5.3.0",
      "koa@^2: not in the evaluator's image",
    ]);
    expect(available).toEqual(["flask 3.1.3", "express 5.3.0", "pyyaml 6.0.3", "@types/node 24.0.0"]);
  });

  it("are not looked at where a project asks for none", async () => {
    const asks = createImageEnvironment({
      nodeModules: "/nowhere",
      pythonLibraries: () => {
        throw new Error("looked");
      },
    });
    expect(await asks(layTree({ "a.py": "" }))).toEqual({ ...noEnvironment, available: [] });
  });
});
