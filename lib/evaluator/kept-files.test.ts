import { afterAll, describe, expect, it } from "vitest";
import { evaluation, type Files, removeFolders } from "../../test/doubles/evaluation.ts";
import { KEPT_BYTES, KEPT_FILES } from "../core/limits.ts";

afterAll(removeFolders);

const TREE: Files = { "a.txt": "a\n", "src/b.txt": "b\n" };

async function kept(script: string, keep: string[], tree = TREE) {
  const { command } = await evaluation(tree, { command: { argv: ["sh", "-c", script], keep } });
  const files = command?.kept?.files.map(({ path, base64 }) => [path, Buffer.from(base64, "base64").toString()]);
  return { files: files && Object.fromEntries(files), refused: command?.kept?.refused };
}

describe("what a command wrote and is to be kept", () => {
  it("comes back: new and changed files that match, and no others", async () => {
    const script = "echo new > src/new.txt; echo more >> a.txt; touch src/b.txt; echo no > other.log; rm -f src/c.txt";
    expect((await kept(script, ["*.txt"])).files).toEqual({ "a.txt": "a\nmore\n", "src/new.txt": "new\n" });
    expect((await kept(script, ["src/**", "nothing"])).files).toEqual({ "src/new.txt": "new\n" });
  });

  it("does not come back where the command failed, or nothing is to be kept", async () => {
    expect(await kept("echo new > new.txt; exit 3", ["**"])).toEqual({ files: undefined, refused: undefined });
    expect((await kept("echo new > new.txt", [])).files).toEqual({});
  });

  it("is no link, no pipe, no second name of another file, and nothing in the folders of tools", async () => {
    const script = [
      ...["ln -s /etc/passwd link.txt", "ln -s /etc folder", "mkfifo pipe.txt", "ln a.txt hard.txt"],
      ...["mkdir -p node_modules .git", "echo x > node_modules/x.txt", "echo x > .git/x.txt", "echo real > real.txt"],
    ];
    expect((await kept(script.join(" && "), ["**"])).files).toEqual({ "real.txt": "real\n" });
  });

  it("keeps what looks like a key as it is: it is a file", async () => {
    const key = ["gh", "p_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"].join("");
    expect((await kept(`echo ${key} > key.txt`, ["*.txt"])).files).toEqual({ "key.txt": `${key}\n` });
  });

  it.each([
    ["too large", `head -c ${KEPT_BYTES + 1} /dev/zero > large.txt`],
    ["too many", `for i in $(seq ${KEPT_FILES + 1}); do echo $i > $i.txt; done`],
  ])("is refused as a whole where it is %s", async (_, script) => {
    expect(await kept(script, ["*.txt"])).toEqual({
      files: {},
      refused: expect.stringContaining("40 files and 512 KiB"),
    });
  });

  it("takes no room for large files of the tree that stay as they are", async () => {
    const tree = { "large.txt": "x".repeat(KEPT_BYTES + 1), "small.txt": "1" };
    expect((await kept("echo 2 > small.txt", ["*.txt"], tree)).files).toEqual({ "small.txt": "2\n" });
  });
});
