import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readProgramData } from "../../core/program/language/read-program.ts";
import { programData, renderProgramMarkdown } from "../../core/program/program-text.ts";
import { readProgram, readProgramFile, readProgramSource } from "../program-file.ts";
import { projectFile } from "../project-files.ts";
import { linkFiles } from "./called-programs.ts";
import { programFolders } from "./program-folders.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "l2mac-calls-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, content: string): string {
  const at = join(root, path);
  mkdirSync(dirname(at), { recursive: true });
  writeFileSync(at, content);
  return at;
}

const textsOf = (path: string, folders: string[] = []): string[] =>
  readProgram(path, folders).instructions.map(({ text }) => text);

const refusalOf = (path: string, folders: string[] = []): string => {
  try {
    readProgram(path, folders);
  } catch (error) {
    return (error as Error).message.slice(path.length + 2).replaceAll(root, "…");
  }
  throw new Error("It was read.");
};

describe("a program that calls others", () => {
  it("finds them by their path from the calling file, in any notation", () => {
    const top = write("top.md", "1. {.call program=steps/a.yaml}");
    write("steps/a.yaml", "- A.\n- kind: call\n  program: deeper/b.json\n  with: {x: 1}\n");
    write("steps/deeper/b.json", '["B {{x}}."]');
    expect(textsOf(top)).toEqual(["A.", "B {{x}}."]);
    expect(readProgramFile(top).notices).toEqual(["deeper/b.json is steps/deeper/b.json."]);
  });

  it("finds them by name in the folders, the first one first, and says where", () => {
    const top = write("top.md", "1. {.call program=tests}\n2. {.call program=notes.v2}");
    write("one/tests.yaml", "- From one.\n");
    write("two/tests.md", "1. From two.");
    write("two/notes.v2.md", "1. Notes.");
    const folders = [join(root, "one"), join(root, "two")];
    expect(textsOf(top, folders)).toEqual(["From one.", "Notes."]);
    expect(readProgramFile(top, folders).notices).toEqual(["tests is one/tests.yaml.", "notes.v2 is two/notes.v2.md."]);
    rmSync(join(root, "two"), { recursive: true });
    expect(refusalOf(top, folders)).toBe(
      "line 2, column 11: there is no program `notes.v2` in …/one or …/two. The file of a program has its ending, such as tests.md.",
    );
  });

  it("finds them by the hash of a file, whatever its name, and takes no other", () => {
    const text = "1. Exactly this.";
    const hash = createHash("sha256").update(text).digest("hex");
    write("named/other.md", "1. Something else.");
    write("named/exact.md", text);
    const top = write("top.md", `1. {.call program="sha256:${hash}"}`);
    expect(textsOf(top, [join(root, "named")])).toEqual(["Exactly this."]);
    write("named/exact.md", `${text}\n`);
    expect(refusalOf(top, [join(root, "named")])).toBe("line 1, column 11: no program in …/named or … has this hash.");
  });

  it("is refused with the place in the file for a path that leads elsewhere, and for what is no program", () => {
    for (const program of ["../a.md", "/etc/a.md", "C:\\\\a.md", "a/b", "sha256:12", "https://x/y.md"]) {
      const top = write("top.yaml", `- kind: call\n  program: "${program}"\n`);
      expect(refusalOf(top)).toMatch(
        /^line 2, column 3: (?:`.*` is no program that can be called\. Write the path|there is no file )/,
      );
    }
    const top = write("top.md", "1. A\n2. {.call program=bad.yaml}");
    write("bad.yaml", "- kind: goto\n");
    expect(refusalOf(top)).toMatch(/^in bad\.yaml, line 1, column 3: there is no kind `goto`\./);
    write("bad.yaml", "[");
    expect(refusalOf(top)).toMatch(/^in bad\.yaml, line 1, /);
    rmSync(join(root, "bad.yaml"));
    mkdirSync(join(root, "bad.yaml"));
    expect(refusalOf(top)).toBe("line 2, column 11: there is no file bad.yaml beside the program.");
  });

  it("is refused for a circle, also through a link or through itself", () => {
    const top = write("top.md", "1. {.call program=a.md}");
    write("a.md", "1. A\n2. {.call program=b.md}");
    symlinkSync(join(root, "a.md"), join(root, "b.md"));
    expect(refusalOf(top)).toBe(
      "in a.md, line 2, column 11: the calls go round in a circle: a.md → b.md. Remove one of these calls.",
    );
    write("self.md", "1. {.call program=self.md}");
    expect(refusalOf(join(root, "self.md"))).toContain("a circle: self.md → self.md.");
  });

  it("reads a file once that is called often, and says once what is wrong with it", () => {
    const calls = (program: string) => Array.from({ length: 50 }, (_, n) => `${n + 1}. {.call program=${program}}`);
    const top = write("top.md", [...calls("a.md"), ""].join("\n"));
    write("a.md", "1. A");
    const hash = createHash("sha256").update("1. A").digest("hex");
    const byHash = write("hash.md", calls(`"sha256:${hash}"`).join("\n"));
    const reads: string[] = [];
    const place = (path: string) => ({
      ...{ path, folders: [] },
      read: (file: string) => {
        reads.push(file);
        return { data: ["A"], placeOf: () => undefined };
      },
    });
    for (const path of [top, byHash]) {
      const source = readProgramSource(path);
      const read = "findings" in source ? source : readProgramData(source);
      if ("findings" in read) throw new Error("It is a program.");
      expect(linkFiles(read.program, place(path), () => []).program.instructions).toHaveLength(50);
    }
    expect(reads).toEqual([join(root, "a.md"), join(root, "a.md")]);
    write("a.md", "1. {.call}");
    expect(refusalOf(top)).not.toContain("more)");
  });

  it("hashes no file that is larger than any program", () => {
    const large = "x".repeat(7 * 1024 * 1024);
    write("large.md", large);
    const hash = createHash("sha256").update(large).digest("hex");
    const top = write("top.md", `1. {.call program="sha256:${hash}"}`);
    expect(refusalOf(top)).toContain("has this hash.");
  });

  it("is refused where a link leads out of its folder and of those of programs", () => {
    const outside = write("outside/secret.md", "1. Secret.");
    const top = write("project/top.md", "1. {.call program=steps/a.md}");
    mkdirSync(join(root, "project/steps"));
    symlinkSync(outside, join(root, "project/steps/a.md"));
    expect(refusalOf(top)).toBe(
      "line 1, column 11: steps/a.md leads out of …/project. Copy the file to where the program is.",
    );
    expect(textsOf(top, [join(root, "outside")])).toEqual(["Secret."]);
    rmSync(join(root, "project/steps"), { recursive: true });
    symlinkSync(join(root, "outside"), join(root, "project/steps"));
    write("outside/a.md", "1. Secret.");
    expect(refusalOf(top)).toContain("steps/a.md leads out of …/project.");
    symlinkSync(join(root, "project"), join(root, "way"));
    rmSync(join(root, "project/steps"));
    write("project/steps/a.md", "1. Inside.");
    expect(textsOf(join(root, "way/top.md"))).toEqual(["Inside."]);
  });

  it("needs no file any more once it is written out whole, as for approval", () => {
    const whole = readProgram(projectFile("examples/calls.md"));
    const top = write("alone/whole.md", renderProgramMarkdown(whole));
    expect(readProgramFile(top)).toEqual({ draft: whole, notices: [] });
    const json = write("alone/whole.json", JSON.stringify(programData(whole)));
    expect(readProgram(json)).toEqual(whole);
  });

  it("keeps a mark as it is where it is passed on as itself", () => {
    const top = write("top.md", '1. {.call program=page.md with={"user":"{{user}}"}}');
    write("page.md", "1. Write a template with {{user}}.");
    expect(textsOf(top)).toEqual(["Write a template with {{user}}."]);
    write("top.md", "1. {.call program=page.md}");
    expect(refusalOf(top)).toContain("uses {{user}}, and `with` has no value for it");
  });

  it("looks in no home that came along with the folder", () => {
    const env = { XDG_CONFIG_HOME: join(root, "config") };
    const home = join(root, ".l2mac");
    const own = join(root, "config/l2mac/programs");
    expect(programFolders({ home, env })).toEqual([join(home, "programs"), own]);
    write(".l2mac/programs/tests.md", "1. Hostile.");
    expect(programFolders({ home, env })).toEqual([own]);
    expect(programFolders({ home, env: { ...env, L2MAC_HOME: home } })).toEqual([join(home, "programs"), own]);
  });

  it("is shown by an example", () => {
    const { tree, instructions } = readProgram(projectFile("examples/calls.md"));
    expect(instructions.map(({ title }) => title)).toEqual([
      "Handle amounts",
      "Write it",
      "Prepare version {{version}}",
    ]);
    expect(JSON.stringify(tree)).toContain('"program":"programs/module.md"');
  });
});
