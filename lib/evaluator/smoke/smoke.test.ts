import { afterAll, describe, expect, it } from "vitest";
import { withEnoughTime } from "../../../test/doubles/enough-time.ts";
import { evaluation, type Files, noPython, removeFolders, toolchain } from "../../../test/doubles/evaluation.ts";
import type { SmokeVerdict } from "../../core/verdict/verdict.ts";
import { noEnvironment } from "../language.ts";

afterAll(removeFolders);

const noNpm = toolchain.npm === undefined;

async function smoke(files: Files, timeoutMs = 30_000): Promise<Partial<SmokeVerdict>> {
  const verdict = await evaluation(files, { smoke: true, timeoutMs });
  return verdict.smoke ?? {};
}

describe("the smoke test of a delivery", () => {
  it("passes where the program starts and ends well", async () => {
    const found = await smoke({ "main.js": 'console.log("it lists things");' });
    expect(found).toMatchObject({ status: "passed", argv: ["node", "main.js", "--help"], output: "it lists things" });
  });

  it("passes where the program says how it is used, whatever its exit code", async () => {
    expect(await smoke({ "main.js": 'console.error("Usage: it FILE"); process.exit(2);' })).toMatchObject({
      status: "passed",
      exitCode: 2,
    });
  });

  it("passes where the program goes on until it is stopped", async () => {
    const found = await smoke(
      { "server.js": 'require("http").createServer().listen(0); console.log("listening");' },
      3_500,
    );
    expect(found).toMatchObject({ status: "passed", detail: "it still ran when it was stopped", output: "listening" });
  });

  it("fails where the program cannot be loaded, and names no folder of this computer", async () => {
    const found = await smoke({ "main.js": 'require("./gone.js");' });
    expect(found).toMatchObject({ status: "failed", exitCode: 1 });
    expect(found.output).toContain("Cannot find module './gone.js'");
    expect(found.output).not.toMatch(/l2mac-\w+\//);
  });

  it("fails where a package is used that the project does not declare", async () => {
    expect(await smoke({ "main.js": 'require("left-pad");' })).toMatchObject({ status: "failed" });
  });

  it("tries what the README shows where the program knows no help, and says what it tried", async () => {
    const program = 'if (process.argv[2] !== "list") { console.error("it: no such command"); process.exit(2); }';
    const files = { "it.js": program, "README.md": "# It\n\n    node it.js list\n" };
    expect(await smoke(files)).toMatchObject({ status: "passed", argv: ["node", "it.js", "list"], exitCode: 0 });
  });

  it("proves nothing where the program ends in its own words", async () => {
    const found = await smoke({ "main.js": 'console.error("set DATABASE first"); process.exit(1);' });
    expect(found).toMatchObject({ status: "not_run", reason: "it ended with 1", detail: "set DATABASE first" });
    expect(await smoke({ "main.js": "process.exit(1)" })).toMatchObject({ status: "failed" });
  });

  it("is not run where a declared package could not be had", async () => {
    const environment = { ...noEnvironment, missing: ["left-pad@1.0.0: no such package"] };
    const verdict = await evaluation({ "main.js": 'require("left-pad");' }, { smoke: true, environment });
    expect(verdict.smoke).toMatchObject({ status: "not_run", reason: "package_missing" });
  });

  it("does not blame the program for a missing network", async () => {
    const files = { "main.js": 'const e = new Error("connect ECONNREFUSED 127.0.0.1:5432"); throw e;' };
    expect(await smoke(files)).toMatchObject({ status: "not_run", reason: "it needs the network" });
  });

  it("starts from a copy in which no test has left anything", async () => {
    const test =
      'require("node:test")("spoils", () => require("node:fs").writeFileSync("main.js", "process.exit(3)"));';
    const verdict = await evaluation({ "main.js": "", "a.test.js": test }, { tests: {}, smoke: true });
    expect(verdict.tests).toMatchObject({ status: "passed", passed: 1 });
    expect(verdict.smoke).toMatchObject({ status: "passed", exitCode: 0 });
  });

  it("has nothing to start in a library, and no verdict if none is requested", async () => {
    expect(await smoke({ "lib.js": "" })).toMatchObject({ status: "not_run", reason: "nothing_to_check" });
    expect(await evaluation({ "main.js": "" })).not.toHaveProperty("smoke");
  });

  it.skipIf(noPython)("starts Python by its README, and takes a wait for input as started", async () => {
    const readme = "```\n$ python game.py --level 3\n```\n";
    expect(await smoke({ "game.py": 'input("name? ")', "README.md": readme })).toMatchObject({
      status: "passed",
      detail: "it waited for input",
    });
    expect(await smoke({ "main.py": "import numpi" })).toMatchObject({ status: "failed" });
  });

  it.each([
    ["null.usage();", "failed"],
    ['throw new Error("disk usage unknown");', "failed"],
    ['throw new Error("usage: none");', "failed"],
    ['console.log("disk usage unknown"); process.exit(1);', "not_run"],
    ['console.error("it: Usage: it FILE"); process.exit(1);', "passed"],
    ['process.kill(process.pid, "SIGSEGV");', "crashed"],
  ])("looks for a crash before it looks for words: %s", async (program, status) => {
    expect(await smoke({ "main.js": program })).toMatchObject({ status });
  });

  it("proves nothing where the program said nothing until it was stopped", async () => {
    const silent = await withEnoughTime(
      3_500,
      (timeoutMs) => smoke({ "main.js": "setInterval(() => {}, 1000);" }, timeoutMs),
      ({ reason }) => reason !== "no time left",
    );
    expect(silent).toMatchObject({ status: "not_run", reason: "it said nothing until it was stopped" });
  });

  it("is not begun where no time is left to say anything of it", async () => {
    const found = await smoke({ "main.js": 'console.log("quick");' }, 1_900);
    expect(found).toMatchObject({ status: "not_run", reason: "no time left", exitCode: null });
  });

  it("asks nothing of TypeScript that Node does not start as it is", async () => {
    const nothing = { status: "not_run", reason: "nothing_to_check" };
    const imports = {
      "src/index.ts": 'import { add } from "./add.js";\nadd();',
      "src/add.ts": "export const add = 1;",
    };
    for (const files of [imports, { "src/index.ts": "enum A { B }\nconsole.log(A.B);" }]) {
      const found = await smoke({ ...files, "package.json": '{"type": "module"}' });
      expect(found).toMatchObject(nothing);
      expect(found).not.toHaveProperty("argv");
    }
    expect(await smoke({ "src/index.ts": 'import "./gone.js";', "package.json": '{"type": "module"}' })).toMatchObject({
      status: "failed",
    });
  });

  it("asks nothing of a page, and proves nothing of what runs in a browser", async () => {
    const page = { "index.html": '<script src="app.js"></script>', "app.js": 'document.title = "a";' };
    expect(await smoke(page)).toMatchObject({ status: "not_run", reason: "nothing_to_check" });
    expect(await smoke({ ...page, "README.md": "# A\n\n    node app.js\n" })).toMatchObject({
      status: "not_run",
      reason: "it runs in a browser",
    });
  });

  it("starts what one command of the README prepares and the next one is", async () => {
    const files = { "scripts/seed.js": 'throw new Error("no data");', "app/app.js": 'console.log("here");' };
    const readme = "```\nnode scripts/seed.js\ncd app\nnode app.js\n```\n";
    expect(await smoke({ ...files, "README.md": readme })).toMatchObject({ status: "passed", output: "here" });
    const alone = "```\nnode scripts/seed.js\n```\n";
    expect(await smoke({ ...files, "README.md": alone })).toMatchObject({ status: "failed" });
  });

  it.skipIf(noNpm)("builds what is not in the tree, and says what there is not to build it with", async () => {
    const project = (build: string) => ({
      "package.json": JSON.stringify({ scripts: { build, start: "node dist/index.js" } }),
      "src/index.js": 'console.log("built");',
    });
    const works = project("node -e \"fs.cpSync('src', 'dist', { recursive: true })\"");
    expect(await smoke(works)).toMatchObject({ status: "passed", argv: ["node", "dist/index.js", "--help"] });
    expect(await smoke(project("no-such-compiler-here"))).toMatchObject({
      status: "not_run",
      reason: "what builds it is not available here",
      argv: ["npm", "run", "build"],
    });
    expect(await smoke(project('node -e "process.exit(3)"'))).toMatchObject({
      status: "failed",
      detail: "its build ended with 3",
    });
  });

  it.skipIf(noPython)("starts a Python program as a module where it imports its own folder", async () => {
    const files = { "src/util.py": "a = 1", "src/main.py": "from src.util import a\nprint(a)" };
    expect(await smoke(files)).toMatchObject({ status: "passed", argv: ["python", "-m", "src.main", "--help"] });
    expect(await smoke({ "src/main.py": "import src.gone" })).toMatchObject({ status: "failed" });
  });

  it
    .skipIf(noPython)
    .each([
      "import sys\nprint(open(sys.argv[1]).read())",
      "import sys\nprint(float(sys.argv[1]))",
      "import sys\nprint(sys.argv[2])",
    ])("does not blame a program for arguments that are not documented: %j", async (program) => {
    expect(await smoke({ "main.py": program })).toMatchObject({
      status: "not_run",
      reason: "it needs arguments that are not documented",
      argv: ["python", "main.py"],
    });
  });

  it.skipIf(noPython)("starts without arguments what takes --help for its first one", async () => {
    const program = "import sys\nn = int(sys.argv[1]) if len(sys.argv) > 1 else 3\nprint(n)";
    expect(await smoke({ "main.py": program })).toMatchObject({ status: "passed", output: "3" });
    for (const crash of ['raise RuntimeError("disk usage unknown")', "[][0]"])
      expect(await smoke({ "main.py": crash })).toMatchObject({ status: "failed" });
  });

  it.skipIf(noPython)("does not blame a program for a file that only readers of the README have", async () => {
    const files = {
      "t.py": "import sys\nprint(open(sys.argv[1]).read())",
      "README.md": "# T\n\n    python t.py in.txt\n",
    };
    expect(await smoke(files)).toMatchObject({ status: "not_run", reason: "it wants a file that is not delivered" });
    expect(await smoke({ ...files, "in.txt": "here" })).toMatchObject({ status: "passed", output: "here" });
  });
});
