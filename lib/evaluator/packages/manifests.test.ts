import { describe, expect, it } from "vitest";
import { wishOf } from "../languages/javascript/node-requirements.ts";
import { pythonRequirements, requirementLines } from "../languages/python/python-requirements.ts";

const nodeRequirements = (text: string) => {
  const { sections, refused } = wishOf(text, { below: "", source: "package.json", locals: new Map() });
  return { requirements: new Map(Object.values(sections).flatMap((each) => Object.entries(each))), refused };
};

describe("the requirements of a Python project", () => {
  it.each([
    ["flask", "flask"],
    ["Flask==3.0.0", "Flask==3.0.0"],
    ["requests [socks, x ]>=2 , <3,", "requests[socks,x]>=2,<3"],
    ["a.b_c ~= 1.0", "a.b_c~=1.0"],
    ["x (!=1.2.*,>=1.*)", "x!=1.2.*,>=1"],
    ["tomli; python_version<'3.11'", 'tomli; python_version < "3.11"'],
    [
      "x == 1+local;(os_name=='nt' or extra in 'a b') and '3'  not  in python_version",
      'x==1+local; (os_name == "nt" or extra in "a b") and "3" not in python_version',
    ],
  ])("may be a name with versions, and are written again from their parts: %s", (line, written) => {
    const { requirements, refused } = pythonRequirements([line], "requirements.txt");
    expect([...requirements.values()]).toEqual([written]);
    expect(refused).toEqual([]);
  });

  it.each([
    "-r other.txt",
    "--index-url https://example.org/simple",
    "-e .",
    "./local",
    "/etc/passwd",
    "../up",
    "git+https://example.org/x.git",
    "x @ https://example.org/x.whl",
    "x @ file:///etc/passwd",
    "https://example.org/x.tar.gz",
    "x.whl --no-deps",
    "x; import os\nflask @ http://example.org",
    "$(id)",
    "`id`",
    "flask --hash",
  ])("may not come from elsewhere: %s", (line) => {
    const { requirements, refused } = pythonRequirements([line], "requirements.txt");
    expect(requirements.size).toBe(0);
    expect(refused).toEqual([expect.stringContaining("refused")]);
  });

  it("are read without comments, hashes and broken lines, each package once", () => {
    const text = "# all\nflask==1 # web\n\nFLASK==2\nrequests \\\n  --hash=sha256:abc \\\n  --hash=sha256:def\n";
    const { requirements, refused } = pythonRequirements(requirementLines(text), "requirements.txt");
    expect([...requirements]).toEqual([
      ["flask", "FLASK==2"],
      ["requests", "requests"],
    ]);
    expect(refused).toEqual([]);
  });
});

describe("the requirements of a Node project", () => {
  const wanted = (dependencies: Record<string, string>) => nodeRequirements(JSON.stringify({ dependencies }));

  it.each(["^1.2.3", "npm:other@^1", "~2", "*", "", "latest", ">=1 <2", "1.x || 2.x", "1.0.0-beta.1"])(
    "may have the version %s",
    (version) => {
      expect([...wanted({ express: version }).requirements]).toEqual([["express", version]]);
    },
  );

  it.each([
    "git+ssh://example.org/x",
    "github:user/repo",
    "user/repo",
    "https://example.org/x.tgz",
    "file:../x",
    "link:x",
    "workspace:*",
    "./x",
    "npm:../x@1",
    "npm:l2mac@1",
    "npm:other@file:x",
    "..",
    ".",
    "x.tgz",
  ])("may not come from elsewhere: %s", (version) => {
    const { requirements, refused } = wanted({ express: version });
    expect(requirements.size).toBe(0);
    expect(refused).toEqual([expect.stringContaining(`express@${version}: refused`)]);
  });

  it("have names that are names", () => {
    expect(wanted({ "@scope/name": "1", "../up": "1", "--option": "1" }).refused).toHaveLength(1);
    expect(wanted({ "a b": "1" }).requirements.size).toBe(0);
  });

  it("are none in a manifest that is none", () => {
    expect(nodeRequirements("nonsense").requirements.size).toBe(0);
    expect(nodeRequirements("[1]").requirements.size).toBe(0);
    expect(nodeRequirements('{ "dependencies": "all" }').requirements.size).toBe(0);
  });
});
