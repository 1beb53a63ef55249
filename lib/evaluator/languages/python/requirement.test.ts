import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { pythonCan, toolchain } from "../../../../test/doubles/evaluation.ts";
import { parseRequirement } from "./requirement.ts";

const NAMES = ["a", "A.b_c", "a-", "x.whl", "-r", "a b", "a[x]", "a[x,y.z]", "a[--x]", "a[x", "a@b", ".a", "a/b"];
const VERSIONS = [
  ...[
    "",
    "==1",
    " == 1.0.post1 ",
    ">=1,<2",
    ">=1,",
    "(>=1)",
    "(>=1",
    "=1",
    "==",
    "===x",
    "~=1",
    "~=1.2",
    ">=1+x",
    "==1.*",
  ],
  ...[
    "==1.2.3-4",
    "!=1rc1.dev2",
    "<1.*.2",
    ">1 --pre",
    "==1 @ file:///x",
    "@ http://x/a.whl",
    "==1==2",
    "<<1",
    "==v1!2",
  ],
];
const CONDITIONS = [
  ...[
    "",
    ";",
    ' ; python_version > "3"',
    ";os_name=='x'and extra!='y'",
    "; (os_name == 'x')",
    "; ((os_name == 'x')",
    ";'a'=='b'",
  ],
  ...[
    '; python_version >= "3" --no-binary :all:',
    '; python_version > "3 --no-binary :all:"',
    "; os_name == '-x'",
    "; x == 'y'",
  ],
  ...[
    "; os_name == '$" + "{HOME}'",
    "; os_name == 'a' # b",
    "; os_name in 'a b'",
    "; os_name not in 'a'",
    "; os_name notin 'a'",
  ],
  ...[
    '; os_name == "a" --config-settings a=b',
    '; os_name == "a" or',
    "; os_name == 'it\\'s'",
    '; "a" "b"',
    "; extra === 'x'",
  ],
];
const LINES = NAMES.flatMap((name) =>
  VERSIONS.flatMap((version) => CONDITIONS.map((condition) => `${name}${version}${condition}`)),
);

/** pip's own parser of lists, and its copy of the library that defines what a requirement is. */
const REFERENCE = `
import json, sys
from pip._vendor.packaging.requirements import Requirement
from pip._internal.req.req_file import break_args_options, preprocess
found = []
for line in json.load(sys.stdin):
    lines = [one for _, one in preprocess(line)]
    words, options = break_args_options(lines[0]) if len(lines) == 1 else ("", "lines")
    try:
        one = Requirement(words)
        found.append([one.name, sorted(one.extras), str(one.specifier), str(one.marker), one.url, options])
    except Exception as problem:
        found.append(str(problem))
print(json.dumps(found))
`;

describe("a requirement of Python", () => {
  it.skipIf(!pythonCan("import pip._vendor.packaging"))(
    "means to pip what it was read as, whatever was written (needs pip)",
    () => {
      const written = LINES.map((line) => parseRequirement(line)?.text);
      const both = LINES.flatMap((line, at) => (written[at] === undefined ? [] : [line, written[at]]));
      const { stdout } = spawnSync(toolchain.python ?? "", ["-I", "-c", REFERENCE], { input: JSON.stringify(both) });
      const found = JSON.parse(stdout.toString()) as (unknown[] | string)[];
      expect(both.length).toBeGreaterThan(500);
      for (let at = 0; at < both.length; at += 2) {
        const [asked, given] = [found[at], found[at + 1]];
        // Older versions refuse a comma at the end, and newer ones a star after a bound.
        const parts = typeof asked === "string" ? [given?.[0], given?.[1], given?.[2], given?.[3]] : asked?.slice(0, 4);
        expect(given, both[at + 1]).toEqual([...(parts ?? []), null, ""]);
      }
    },
  );

  it("is none where anything else is written", () => {
    const hostile = /--|@|\\$|#|\[x$|"b"$|notin|or$/;
    expect(LINES.flatMap((line) => (hostile.test(line) && parseRequirement(line) ? [line] : []))).toEqual([]);
  });

  it("may nest conditions, within a bound", () => {
    const nested = (depth: number): string => `a; ${"(".repeat(depth)}os_name == 'x'${")".repeat(depth)}`;
    expect(parseRequirement(nested(3))?.text).toBe('a; (((os_name == "x")))');
    expect(parseRequirement(nested(500))).toBeUndefined();
  });
});
