import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { strToU8, zipSync } from "fflate";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { TREE_BYTES, TREE_FILES, TREE_PACKED_BYTES } from "../core/limits.ts";
import { checkedTree } from "../pack/checked-tree.ts";
import { readGivenTests, readStartingTree } from "./starting-tree.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "l2mac-from-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const write = (name: string, content: string | Uint8Array): void => {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), content);
};
const zip = (files: Record<string, Uint8Array>): string => {
  write("a.zip", zipSync(files));
  return join(root, "a.zip");
};

describe("a folder to start from", () => {
  it("gives its files byte for byte, without version control, installed packages and environments", async () => {
    write("src/app.py", "print(1)\r\n");
    write("logo.bin", Uint8Array.of(0, 255, 13, 10));
    for (const left of [".git/HEAD", "node_modules/x/i.js", ".l2mac/a", ".venv/b", "src/__pycache__/c"])
      write(left, "x");
    write("env311/pyvenv.cfg", "home = /usr");
    write("env311/lib/site.py", "x");
    const { files, notices } = await readStartingTree(root);
    expect([...files.keys()].sort()).toEqual(["logo.bin", "src/app.py"]);
    expect(files.get("logo.bin")).toEqual(Buffer.of(0, 255, 13, 10));
    expect(notices).toEqual([]);
  });

  it("follows no link out of it, and says which ones were left out", async () => {
    write("kept.txt", "x");
    write("node_modules/a/index.js", "x");
    symlinkSync("/etc/passwd", join(root, "passwords.txt"));
    symlinkSync("/etc", join(root, "etc"));
    symlinkSync("gone", join(root, "nothing"));
    symlinkSync(".", join(root, "circle"));
    symlinkSync("node_modules/a", join(root, "package"));
    const { files, notices } = await readStartingTree(root);
    expect([...files.keys()]).toEqual(["kept.txt"]);
    expect(notices).toEqual([
      "circle was left out: it is a symbolic link to a folder that holds it, or that is left out.",
      "etc was left out: it is a symbolic link that leads out of the folder.",
      "nothing was left out: it is a symbolic link that leads to nothing.",
      "package was left out: it is a symbolic link to a folder that holds it, or that is left out.",
      "passwords.txt was left out: it is a symbolic link that leads out of the folder.",
    ]);
  });

  it("keeps the links between its files as a list", async () => {
    write("lib/a.txt", "x");
    mkdirSync(join(root, "other"));
    symlinkSync("../lib/a.txt", join(root, "other/b.txt"));
    symlinkSync(join(root, "lib"), join(root, "other/lib"));
    const { files, notices } = await readStartingTree(root);
    expect(notices).toEqual([]);
    expect([...files.keys()].sort()).toEqual([".l2mac-links.json", "lib/a.txt"]);
    expect(JSON.parse(Buffer.from(files.get(".l2mac-links.json") ?? []).toString())).toEqual({
      "other/b.txt": "../lib/a.txt",
      "other/lib": "../lib",
    });
    expect([...(await readGivenTests(root)).files.keys()]).toEqual(["lib/a.txt"]);
  });

  it("is refused with the names of the files that no run can have", async () => {
    write("fine.txt", "x");
    write("a?.txt", "x");
    write("aux.c", "x");
    await expect(readStartingTree(root)).rejects.toThrow(/"a\?\.txt" holds one of .*; "aux\.c" holds "aux\.c"/);
  });

  it("is refused where it is too large, with the largest files", async () => {
    write("zeros.bin", "");
    // A hole: it takes no room on the disk, and is not read.
    truncateSync(join(root, "zeros.bin"), TREE_BYTES + 1);
    write("small.txt", "x");
    await expect(readStartingTree(root)).rejects.toThrow(
      /400 MiB unpacked, fit .* The largest: zeros\.bin \(400\.0 MiB\)/,
    );
  });

  it("is refused where it does not exist", async () => {
    await expect(readStartingTree(join(root, "no"))).rejects.toThrow(/there is nothing of that name/);
  });
});

describe("a zip to start from", () => {
  it("gives its files", async () => {
    const path = zip({ "src/a.txt": strToU8("a"), "node_modules/b": strToU8("b"), "c.txt": strToU8("") });
    expect([...(await readStartingTree(path)).files.keys()].sort()).toEqual(["c.txt", "src/a.txt"]);
  });

  it.each(["../out.txt", "/etc/x", "a/../../b", "C:\\x", "a\\..\\b"])(
    "is refused where a name leaves it: %s",
    async (name) => {
      await expect(readStartingTree(zip({ [name]: strToU8("x") }))).rejects.toThrow(
        /is not relative|leaves the run|backslash/,
      );
    },
  );

  it("is refused where it is none, and where its sizes cannot be", async () => {
    write("not.zip", "PK not really");
    await expect(readStartingTree(join(root, "not.zip"))).rejects.toThrow(/no zip file that can be read/);
    const bytes = zipSync({ "a.txt": strToU8("a".repeat(100)) });
    // The size in the central directory, which is believed when memory is set aside.
    const directory = Buffer.from(bytes).indexOf(Buffer.from("PK\u0001\u0002", "latin1"));
    new DataView(bytes.buffer).setUint32(directory + 24, 0x7f_ff_ff_ff, true);
    write("bomb.zip", bytes);
    await expect(readStartingTree(join(root, "bomb.zip"))).rejects.toThrow(/a\.txt cannot have its size/);
  });
});

describe("files that are given by name", () => {
  const tree = (...names: string[]) => checkedTree("them", new Map(names.map((name) => [name, new Uint8Array()])));

  it.each([
    [["Readme.md", "README.md"], /differ only in case/],
    [["a", "a/b"], /a is a file, and a\/b needs it as a folder/],
    [["e\u0301.txt", "\u00e9.txt"], /differ only in case or form/],
  ])("are refused where two cannot be beside each other: %j", (names, message) => {
    expect(() => tree(...names)).toThrow(message);
  });

  it("are refused where they are too large when packed", () => {
    const raw = new Uint8Array(TREE_PACKED_BYTES / 2);
    const entry = (path: string) => ({ path, size: raw.length, crc: 0, deflated: false, raw });
    const large = new Map(["a", "b"].map((path) => [path, entry(path)]));
    expect(() => checkedTree("them", large)).toThrow(/take 100\.0 MiB when packed; at most 100 MiB packed/);
  });

  it("are refused where they are too many", () => {
    const names = Array.from({ length: TREE_FILES + 1 }, (_, index) => `f${index}`);
    expect(() => tree(...names)).toThrow(/50001 files; at most 50000/);
  });
});

describe("tests that a user gives", () => {
  it("are read as files to start from are, under their own flag", async () => {
    write("tests/test_a.py", "x");
    write("node_modules/x/i.js", "x");
    expect(await readGivenTests(root)).toEqual({
      files: new Map([["tests/test_a.py", Buffer.from("x")]]),
      notices: [],
    });
    await expect(readGivenTests(join(root, "no"))).rejects.toThrow(/^--tests .*nothing of that name/);
    write("tests/con.py", "x");
    await expect(readGivenTests(root)).rejects.toThrow(/^--tests .*Windows keeps for devices/);
  });

  it("are refused where there are none, and noticed where no runner would find one by its name", async () => {
    await expect(readGivenTests(root)).rejects.toThrow(/no file in it/);
    write("checks/all.py", "x");
    expect((await readGivenTests(root)).notices).toEqual([expect.stringContaining("none of its files has a name")]);
  });

  it("are read from a zip", async () => {
    const path = zip({ "test/a.test.js": strToU8("a") });
    expect([...(await readGivenTests(path)).files.keys()]).toEqual(["test/a.test.js"]);
  });
});
