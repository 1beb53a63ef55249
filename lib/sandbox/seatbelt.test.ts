/** The seal of macOS as far as another computer can show it: its rules, and that it is taken only where it closes. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findSeal } from "./seal.ts";
import { seatbeltArguments } from "./seatbelt-profile.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "seatbelt-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const HOSTILE = '/Users/me/a") (allow default) (subpath "';

/** The rules as nested lists. Throws where a bracket or a quote is not closed. */
function rulesIn(profile: string): unknown[] {
  const tokens = profile.match(/"[^"]*"|[()]|[^\s()"]+/g) ?? [];
  const stack: unknown[][] = [[]];
  for (const token of tokens) {
    if (token === "(") stack.push([]);
    else if (token === ")") {
      const list = stack.pop();
      stack.at(-1)?.push(list);
    } else stack.at(-1)?.push(token);
  }
  if (stack.length !== 1) throw new Error("A bracket is not closed.");
  return stack[0] ?? [];
}

describe("the profile", () => {
  const args = seatbeltArguments({ writable: ["/private/tmp/tree", HOSTILE], readable: ["/Users/me/.nvm/bin"] });
  const profile = args[args.indexOf("-p") + 1] ?? "";
  const rules = rulesIn(profile) as string[][];
  const ruleFor = (what: string) => rules.filter(([verb, first]) => verb === "allow" && first === what);

  it("denies what it does not allow, and the network in any case", () => {
    expect(rules.slice(0, 3)).toEqual([
      ["version", "1"],
      ["deny", "default"],
      ["deny", "network*"],
    ]);
    expect(rules.filter(([verb, what]) => verb === "allow" && /network|mach|iokit|default/.test(String(what)))).toEqual(
      [],
    );
  });

  it("lets write where it is to, and to nothing else but the sinks", () => {
    expect(ruleFor("file-write*")).toEqual([
      [
        ...["allow", "file-write*", ["literal", '"/dev/null"'], ["literal", '"/dev/zero"']],
        ...["WRITABLE_0", "WRITABLE_1"].map((name) => ["subpath", ["param", `"${name}"`]]),
      ],
    ]);
  });

  it("lets read the system's programs and what is named, and no user's folder", () => {
    const [read = []] = ruleFor("file-read*");
    expect(read).toContainEqual(["subpath", ["param", '"READABLE_0"']]);
    expect(JSON.stringify(read)).not.toMatch(/Users|\/private\/tmp|\/private\/var\/folders|Keychains/);
    for (const [kind, path] of read.slice(2) as unknown as [string, string][])
      if (kind === "subpath" && typeof path === "string") expect(path).not.toMatch(/^"\/(private|Library)?"$/);
  });

  it("takes names of folders as parameters, so that none can be read as a rule", () => {
    expect(args.slice(0, 6)).toEqual(
      ["WRITABLE_0=/private/tmp/tree", `WRITABLE_1=${HOSTILE}`, "READABLE_0=/Users/me/.nvm/bin"].flatMap((each) => [
        "-D",
        each,
      ]),
    );
    expect(profile).not.toContain("Users");
    expect(args.at(-1)).toBe("--");
  });
});

describe.skipIf(process.platform === "win32")("the seal where there is a sandbox-exec", () => {
  const found = (script: string) => {
    writeFileSync(join(folder, "sandbox-exec"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    const parts = { folder, path: [folder, dirname(process.execPath)], node: process.execPath, readable: [], uid: 501 };
    return findSeal({ ...parts, platform: "darwin" });
  };
  const PASSING_ON = 'while [ "$1" != -- ]; do shift; done\nshift';

  it("is not taken if code can still read outside of its folder", () => {
    const seal = found(`${PASSING_ON}\nexec "$@"`);
    expect(seal.describe()).toMatchObject({ sealed: false, how: expect.stringContaining("sandbox-exec") });
    expect(seal.seal({ argv: ["a"], cwd: "/", writable: [], readable: [] })).toEqual({ argv: ["a"] });
  });

  it("is not taken if nothing runs in it", () => {
    expect(found("exit 0").describe().sealed).toBe(false);
    expect(found("exit 65").describe().sealed).toBe(false);
  });

  it("is not taken if code still reaches the network", () => {
    const open = "for (const name of ['readFileSync', 'readdirSync']) fs[name] = refuse";
    expect(found(refusing(open)).describe().sealed).toBe(false);
  });

  it("is taken if files and network are refused, with limits on each process", () => {
    const closed = "for (const name of ['readFileSync', 'readdirSync']) fs[name] = refuse; net.connect = unreached";
    const seal = found(refusing(closed));
    expect(seal.describe()).toMatchObject({ sealed: true, how: expect.stringContaining("sandbox-exec") });
    const { argv } = seal.seal({ argv: ["node", "x"], cwd: folder, writable: [folder], readable: [] });
    expect(argv.slice(0, 2)).toEqual(["/bin/sh", "-c"]);
    expect(argv[2]).toMatch(/ulimit -t \d+ && ulimit -f \d+ && ulimit -n \d+/);
    expect(argv.slice(-3)).toEqual(["--", "node", "x"]);
  });

  /** Passes on to a Node whose calls are refused as the kernel would. */
  function refusing(lines: string): string {
    const preload = join(folder, "preload.cjs");
    writeFileSync(
      preload,
      `const fs = require("fs"), net = require("net");
      const refused = Object.assign(new Error("refused"), { code: "EPERM" });
      const refuse = () => { throw refused; };
      const unreached = () => ({ on(name, then) { if (name === "error") setImmediate(then, refused); return this; } });
      const write = fs.writeFileSync;
      fs.writeFileSync = (path, ...rest) => (String(path).endsWith("canary") ? refuse() : write(path, ...rest));
      ${lines};`,
    );
    return `${PASSING_ON}\nnode=$1\nshift\nexec "$node" --require "${preload}" "$@"`;
  }
});
