/** Manifests that ask for what they must not, or are none: each is named, and nothing crashes. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { nodeWanted } from "../../lib/evaluator/languages/javascript/install-node.ts";
import { wishOf } from "../../lib/evaluator/languages/javascript/node-requirements.ts";
import { pythonWanted } from "../../lib/evaluator/languages/python/python-manifests.ts";
import { pythonRequirements } from "../../lib/evaluator/languages/python/python-requirements.ts";
import { type Files, layTree, newFolder, removeFolders } from "../doubles/evaluation.ts";

afterAll(removeFolders);

const python = async (files: Files) => {
  const { requirements, refused } = await pythonWanted(layTree(files));
  return { names: [...requirements.keys()], refused };
};
const node = async (content: string | Uint8Array) => {
  const { requirements, refused } = await nodeWanted(layTree({ "package.json": content as string }));
  return { names: [...requirements.keys()], refused };
};

const nodeRequirements = (text: string) => {
  const { sections, refused } = wishOf(text, { below: "", source: "package.json", locals: new Map() });
  return { requirements: new Map(Object.values(sections).flatMap((each) => Object.entries(each))), refused };
};

describe("a list of requirements", () => {
  it.each([
    ["an address in front", "--index-url http://evil.example\nflask"],
    ["another index", "-i http://evil.example\nflask"],
    ["a place to find packages", "--find-links /tmp\nflask"],
    ["an editable folder", "-e ../x\nflask"],
    ["a file of the computer", "-r ../../etc/passwd\nflask"],
    ["a file of the computer, by its whole path", "-r /etc/passwd\nflask"],
    ["constraints from elsewhere", "-c http://evil.example/c.txt\nflask"],
    ["a git address", "x @ git+https://example.org/x\nflask"],
    ["a second line that only pip sees", "x; python_version > '3'\u2028--index-url=http://evil.example\nflask"],
    ["a variable of the computer", `x; extra == '$${"{"}HOME}'\nflask`],
    ["a name of the evaluator's own", "l2mac-pytest-report\nflask"],
  ])("that has %s loses that line, and says so", async (_, text) => {
    const { names, refused } = await python({ "requirements.txt": text });
    expect(names).toEqual(["flask"]);
    expect(refused).toEqual([expect.stringContaining("refused")]);
  });

  it("follows other lists of the project, each once, and names one that is not there", async () => {
    const { names, refused } = await python({
      "requirements.txt": "-r requirements/base.txt\n",
      "requirements/base.txt": "flask\n-r ../requirements.txt\n--requirement=more.txt\n-r none.txt",
      "requirements/more.txt": "click",
      "requirements-dev.txt": "-r requirements.txt\npytest",
    });
    expect(names.toSorted()).toEqual(["click", "flask", "pytest"]);
    expect(refused).toEqual(["-r requirements/none.txt: refused, the project has no such list"]);
  });

  it("may name the project itself, which comes from no index", async () => {
    const lists = ["mine @ file:.#egg=mine", "file:.#egg=mine", "-e file:.", "mine[test] @ file:///src"];
    const files = { "pyproject.toml": '[project]\nname = "mine"\n[project.optional-dependencies]\ntest = ["one"]\n' };
    for (const line of lists) {
      const { names, refused } = await python({ ...files, "requirements.txt": `${line}\nflask` });
      expect({ names: names.toSorted(), refused }).toEqual({ names: ["flask", "one"], refused: [] });
    }
    const other = await python({ ...files, "requirements.txt": "other @ file:." });
    expect(other.refused).toEqual([expect.stringContaining("other @ file:.: refused")]);
  });

  it("may name a package that tests are run with", async () => {
    expect((await python({ "requirements.txt": "pytest==7.0.0" })).names).toEqual(["pytest"]);
  });

  it("of 10,000 packages is cut, and says so", async () => {
    const text = Array.from({ length: 10_000 }, (_, at) => `package-${at}`).join("\n");
    const { names, refused } = await python({ "requirements.txt": text });
    expect(names).toHaveLength(300);
    expect(refused).toEqual(["9700 more packages of requirements.txt: not installed, for there are more than 300"]);
  });

  it("of 10,000 bad lines is reported in a few", async () => {
    const { refused } = await python({ "requirements.txt": "-e ../x\n".repeat(10_000) });
    expect(refused).toHaveLength(21);
    expect(refused.at(-1)).toBe("9980 more lines of requirements.txt: refused");
  });

  it("of one endless line is reported in a short one", async () => {
    const [line = ""] = pythonRequirements([`x${" ".repeat(1_000)}${"y".repeat(100_000)}`], "requirements.txt").refused;
    expect(line.length).toBeLessThan(400);
  });

  it("that is too long is not read, and says so", async () => {
    expect(await python({ "requirements.txt": "x\n".repeat(200_000) })).toEqual({
      names: [],
      refused: ["requirements.txt: not read, it is larger than 256 KB"],
    });
  });

  it("may be written in UTF-16 or with a mark at the beginning, and else must be UTF-8", async () => {
    const utf16 = Buffer.from("\ufeffflask==1\r\n", "utf16le");
    expect((await python({ "requirements.txt": utf16 as never })).names).toEqual(["flask"]);
    expect((await python({ "requirements.txt": "\ufeffflask\n" })).names).toEqual(["flask"]);
    expect(await python({ "requirements.txt": Buffer.from([0x66, 0xff, 0x80]) as never })).toEqual({
      names: [],
      refused: ["requirements.txt: not read, it is no text"],
    });
  });

  it("that is a folder or a link is none", async () => {
    const folder = newFolder();
    mkdirSync(join(folder, "requirements.txt"));
    expect((await pythonWanted(folder)).refused).toEqual([]);
  });
});

describe("a pyproject.toml", () => {
  it("asks as the standard and Poetry write it", async () => {
    const text = `
[project]
dependencies = ["flask>=3", 7]
[project.optional-dependencies]
dev = ["pytest"]
[dependency-groups]
test = ["hypothesis", {include-group = "dev"}]
[tool.poetry.dependencies]
python = "^3.11"
click = "^8.1"
rich = {version = "~13.0", extras = ["x"]}
evil = {git = "https://example.org/x"}
[tool.poetry.group.dev.dependencies]
black = "*"
`;
    const { requirements, refused } = await pythonWanted(layTree({ "pyproject.toml": text }));
    expect([...requirements.values()].toSorted()).toEqual([
      "black",
      "click>=8.1,<9",
      "flask>=3",
      "hypothesis",
      "pytest",
      "rich[x]>=13.0,<13.1",
    ]);
    expect(refused).toEqual([expect.stringContaining("evil @ elsewhere: refused")]);
  });

  it("that is no TOML, or asks in another manner, is named or asks for nothing", async () => {
    expect((await python({ "pyproject.toml": "[project" })).refused).toEqual([
      "pyproject.toml: not read, it is no TOML",
    ]);
    for (const text of [
      "project = 7",
      "[project]\ndependencies = 'flask'",
      "[__proto__]\na = 1",
      "[tool]\npoetry = []",
    ])
      expect(await python({ "pyproject.toml": text })).toEqual({ names: [], refused: [] });
  });

  it("may not name folders or addresses either", async () => {
    const text = '[project]\ndependencies = ["x @ file:///etc/passwd", "-r /etc/passwd", "flask"]';
    const { names, refused } = await python({ "pyproject.toml": text });
    expect(names).toEqual(["flask"]);
    expect(refused).toHaveLength(2);
  });
});

describe("a package.json", () => {
  it.each([
    ["no JSON", "nonsense", "package.json: not read, it is no JSON object"],
    ["a list", "[1]", "package.json: not read, it is no JSON object"],
    [
      "dependencies that are none",
      '{"dependencies": {"a": 1}}',
      "dependencies of package.json: not read, they are no list of names and versions",
    ],
    [
      "dependencies that are a word",
      '{"devDependencies": "all"}',
      "devDependencies of package.json: not read, they are no list of names and versions",
    ],
    ["a prototype", '{"dependencies": {"__proto__": "1"}}', "__proto__: refused, it is no name of a package"],
    [
      "a package from elsewhere under another name",
      '{"dependencies": {"a": "npm:b@file:../b"}}',
      "a@npm:b@file:../b: refused, package.json may only name packages and versions",
    ],
    [
      "a package of the workspace that is not there",
      '{"dependencies": {"a": "workspace:*"}}',
      "a@workspace:*: refused, the project has no package of this name in that folder",
    ],
    [
      "its own name",
      '{"name": "a", "dependencies": {"a": "1"}}',
      "a@1: refused, it has the name of the package that asks for it",
    ],
    [
      "a name of the evaluator's own, under another",
      '{"dependencies": {"a": "npm:l2mac@1"}}',
      "a@npm:l2mac@1: refused, it has a name of the evaluator's own",
    ],
    [
      "a name of the evaluator's own",
      '{"dependencies": {"l2mac": "1"}}',
      "l2mac@1: refused, it has a name of the evaluator's own",
    ],
  ])("with %s says so", async (_, text, said) => {
    expect(await node(text)).toEqual({ names: [], refused: [said] });
  });

  it("with a mark at the beginning is read", async () => {
    expect((await node('\ufeff{"dependencies": {"a": "1"}}')).names).toEqual(["a"]);
  });

  it("that is no UTF-8 or too long is named", async () => {
    expect((await node(Buffer.from([0x7b, 0xff]))).refused).toEqual(["package.json: not read, it is no text"]);
    expect((await node(`{"x": "${"y".repeat(300_000)}"}`)).refused).toEqual([
      "package.json: not read, it is larger than 256 KB",
    ]);
  });

  it("with 10,000 packages is cut, and says so", () => {
    const dependencies = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`p${at}`, "1"]));
    const { requirements, refused } = nodeRequirements(JSON.stringify({ dependencies }));
    expect(requirements.size).toBe(300);
    expect(refused).toEqual(["9700 more packages of package.json: not installed, for there are more than 300"]);
  });
});
