import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import type { PackDeclaration } from "../core/prompt/prompt.ts";
import type { RunOptions } from "../core/run/option-forms.ts";
import { createConsent } from "../host/user-trust.ts";
import { createPermit, type PermissionParts } from "./permission.ts";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function aHome(): string {
  const home = mkdtempSync(join(tmpdir(), "permission-"));
  folders.push(home);
  return home;
}

const bare = () => ({ sealed: false, how: "bubblewrap (bwrap) is not installed" });
const permitIn = (parts: Partial<PermissionParts> = {}) =>
  createPermit({
    sealed: bare,
    unsealed: { permitted: () => false },
    platform: "linux",
    ...parts,
  });

const run = (
  more: { tests?: boolean; runTests?: boolean; tools?: string[]; offered?: string[]; command?: string[] } = {},
) => ({
  declaration: {
    checks: { syntax: true, tests: more.tests ?? true, ...(more.command ? { command: more.command } : {}) },
    ...(more.offered ? { tools: more.offered } : {}),
  } as PackDeclaration,
  options: { runTests: more.runTests ?? true, ...(more.tools ? { tools: more.tools } : {}) } as RunOptions,
});

describe("running what is written", () => {
  it("needs no consent if the sandbox works", async () => {
    await permitIn({ sealed: () => ({ sealed: true, how: "bubblewrap" }) })(run());
  });

  it("is refused without a sandbox and without a terminal, and explains why and what to do", async () => {
    await expect(permitIn()(run())).rejects.toMatchObject({
      message: expect.stringMatching(
        /^Bubblewrap \(bwrap\) is not installed, and there is no terminal to ask on.*runs as you/,
      ),
      exitCode: 3,
      remedy: "apt-get install bubblewrap, or say --unsealed if it may all the same",
    });
  });

  it("is refused elsewhere with words for computers that have no bubblewrap", async () => {
    for (const platform of ["darwin", "win32"])
      await expect(permitIn({ platform })(run())).rejects.toMatchObject({
        remedy: expect.stringMatching(/container .*virtual machine with Linux.*--remote.*--unsealed/),
      });
  });

  it("may be where the user said so", async () => {
    await permitIn({ unsealed: { permitted: () => true } })(run());
  });

  it("is asked about once, and the answer is remembered", async () => {
    const kept = createConsent({ home: aHome(), env: { HOME: aHome() } });
    const ask = vi.fn(async () => true);
    await permitIn({ unsealed: { permitted: () => false, kept, ask } })(run());
    await permitIn({ unsealed: { permitted: () => false, kept, ask } })(run());
    await permitIn({ unsealed: { permitted: () => false, kept } })(run());
    expect(ask).toHaveBeenCalledTimes(1);
    expect(ask).toHaveBeenCalledWith(
      expect.stringMatching(/read your files and keys.*Better: apt-get install bubblewrap/),
    );
  });

  it("is refused where the answer is no, and that is asked again", async () => {
    const kept = createConsent({ home: aHome(), env: { HOME: aHome() } });
    const ask = vi.fn(async () => false);
    const permit = permitIn({ unsealed: { permitted: () => false, kept, ask } });
    for (const _ of ["once", "again"]) await expect(permit(run())).rejects.toMatchObject({ exitCode: 3 });
    expect(ask).toHaveBeenCalledTimes(2);
  });

  it("is asked in each home, and an answer that is a file of the home counts for nothing", async () => {
    const [home, other, user] = [aHome(), aHome(), { HOME: aHome() }];
    createConsent({ home, env: user }).keep();
    const permitted = (at: string, env = user) =>
      permitIn({ unsealed: { permitted: () => false, kept: createConsent({ home: at, env }) } })(run());
    await permitted(home);
    writeFileSync(join(other, "unsealed.json"), '{ "unsealed": true }');
    await expect(permitted(other)).rejects.toMatchObject({ exitCode: 3 });
    copyFileSync(join(home, "owner.json"), join(other, "owner.json"));
    await expect(permitted(other, { HOME: aHome() })).rejects.toMatchObject({ exitCode: 3 });
  });

  it("is no question for what runs nothing: no tests, and no tool that runs commands", async () => {
    const sealed = vi.fn(bare);
    const permit = permitIn({ sealed });
    await permit(run({ tests: false, offered: ["write_files"] }));
    await permit(run({ runTests: false, tools: ["write_files"] }));
    expect(sealed).not.toHaveBeenCalled();
  });

  it("is one for a pack whose own check is a command, which runs what was written", async () => {
    const checked = { offered: ["write_files"], command: ["make", "check"] };
    await expect(permitIn()(run({ ...checked, tests: false }))).rejects.toMatchObject({ exitCode: 3 });
    await expect(permitIn()(run({ ...checked, runTests: false }))).rejects.toMatchObject({ exitCode: 3 });
  });

  it("is one for a run without tests whose model may run commands", async () => {
    await expect(permitIn()(run({ runTests: false }))).rejects.toMatchObject({ exitCode: 3 });
    await expect(permitIn()(run({ tests: false, offered: ["run_command"] }))).rejects.toMatchObject({ exitCode: 3 });
  });
});
