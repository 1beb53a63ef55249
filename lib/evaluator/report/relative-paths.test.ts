import { realpathSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { evaluation, noPython, removeFolders, toolchain } from "../../../test/doubles/evaluation.ts";
import { notRun, type Verdict } from "../../core/verdict/verdict.ts";
import { withRelativePaths } from "./relative-paths.ts";

afterAll(removeFolders);

const folders = {
  own: ["/tmp/l2mac-ab/tree", "/tmp/l2mac-ab"],
  environment: {
    nodeModules: [{ below: "web", folder: "/home/ann/.l2mac/cache/environments/1/node_modules" }],
    readable: ["/home/ann/.l2mac/cache/environments/1", "/home/ann/.l2mac/cache/environments/2"],
  },
  home: "/home/ann",
};
const saying = (stdout: string): Verdict => ({
  ...notRun("not_asked"),
  command: { status: "passed", exitCode: 0, stdout, stderr: "" },
});
const shown = (text: string): string | undefined => withRelativePaths(saying(text), folders).command?.stdout;

describe("a verdict", () => {
  it.each([
    ['File "/tmp/l2mac-ab/tree/src/a.py", line 3', 'File "src/a.py", line 3'],
    ["at file:///tmp/l2mac-ab/tree/a.mjs:1:7", "at a.mjs:1:7"],
    ["cwd: /tmp/l2mac-ab/tree", "cwd: ."],
    ["/tmp/l2mac-ab/home/.npm", "home/.npm"],
    ["(/home/ann/.l2mac/cache/environments/1/node_modules/x/y.js:2)", "(web/node_modules/x/y.js:2)"],
    ['"/home/ann/.l2mac/cache/environments/2/lib/flask/app.py"', '"packages/lib/flask/app.py"'],
    ["/home/ann/.pyenv/lib/json/decoder.py\n/home/ann", "~/.pyenv/lib/json/decoder.py\n~"],
    ["file:///home/ann/a.js", "~/a.js"],
  ])("shows %j as %j", (text, expected) => expect(shown(text)).toBe(expected));

  it.each([["/home/anna/x"], ["/srv/home/ann/x"], ["https://a.example/home/ann"], ["/usr/lib/x.py"], ["/home"]])(
    "leaves %s as it is",
    (text) => expect(shown(text)).toBe(text),
  );

  it("leaves everything as it is for a user without a home of their own, and kept files always", () => {
    const verdict = saying("/usr/lib/x.py /");
    expect(withRelativePaths(verdict, { own: [], home: "/" })).toEqual(verdict);
    const kept = { files: [{ path: "a", base64: "/home/ann/aaa" }] };
    if (verdict.command) verdict.command.kept = kept;
    expect(withRelativePaths(verdict, folders).command?.kept).toEqual(kept);
  });
});

const CRASH = { python3: "import json\njson.loads('{')\n", node: 'require("node:fs").readFileSync("none");\n' };

it.skipIf(noPython).each(Object.entries(CRASH))(
  "of a crash of %s names no folder of the user",
  async (program, text) => {
    // As the program's own folder is the user's: its standard library is in the traceback.
    const home = realpathSync(toolchain.python ?? "").split("/bin/")[0] ?? "";
    const asked = { command: { argv: [program, "src/crash"] } };
    const { command } = await evaluation({ "src/crash": text }, asked, { home });
    expect(command?.exitCode).toBe(1);
    expect(command?.stderr).toMatch(/(?:^|["\s(])src\/crash(?::1|", line 2)/);
    expect(command?.stderr).not.toMatch(/\/tmp\/|l2mac-/);
    if (program === "python3") expect(command?.stderr).toMatch(/File "~\/lib\S*\/json\/__init__\.py"/);
  },
);
