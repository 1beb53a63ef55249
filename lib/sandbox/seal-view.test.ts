import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { ETC_FILES, NOTHING } from "./seal-etc.ts";
import { viewArguments } from "./seal-view.ts";

const etc = mkdtempSync(join(tmpdir(), "l2mac-view-"));
for (const [name, text] of Object.entries({ ...ETC_FILES, [NOTHING]: "" })) writeFileSync(join(etc, name), text);
afterAll(() => rmSync(etc, { recursive: true, force: true }));

/** Any folder that the system has stands for the program's own. */
const own = "/usr/share";
const [one, other] = readdirSync(own)
  .map((name) => join(own, name))
  .filter((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() && readdirSync(path).length > 0);

const shown = (command: string, view: { readable: string[]; own?: string }): string => {
  const args = viewArguments({ ...view, etc, writable: [] });
  const sealed = ["--unshare-user", "--unshare-pid", "--die-with-parent", ...args, "--", "/bin/sh", "-c", command];
  return spawnSync("bwrap", sealed, { encoding: "utf8", env: { PATH: "/usr/bin:/bin" } }).stdout;
};
const works = shown("echo works", { readable: [] }) === "works\n" && other !== undefined;

describe.skipIf(!works)(`the view of a sealed command${works ? "" : " (needs bubblewrap)"}`, () => {
  it("hides the program's own folder below a system folder, but what is readable of it", () => {
    const list = `ls -d ${own}/*; ls -A ${one}; echo x > ${own}/written || echo refused`;
    const whole = ["", ...readdirSync(one ?? "").sort()].join("\n");
    const found = shown(list, { readable: [one ?? ""], own }).split("\n");
    expect(found.filter((line) => line.startsWith("/"))).toEqual([one]);
    expect(found.slice(1, -2).sort()).toEqual(whole.split("\n").slice(1).sort());
    expect(found.at(-2)).toBe("refused");
    expect(shown(`ls -A ${own}`, { readable: [], own })).toBe("");
  });

  it("leaves the system's folders as they are where the program is elsewhere", () => {
    expect(shown(`ls -d ${other}`, { readable: [], own: "/opt/l2mac" })).toBe(`${other}\n`);
  });
});
