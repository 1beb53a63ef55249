/** The signing key of a user: created once, readable by its user alone. */
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { describeSigner } from "../../test/contracts/signer.contract.ts";
import { createKeySigner, existingPublicKey, signingKeyPath } from "./signing-key.ts";

const calls = vi.hoisted((): string[] => []);
vi.mock("node:fs", async (original) => {
  const actual = await original<typeof import("node:fs")>();
  return {
    ...actual,
    fsyncSync(file: number) {
      calls.push("sync");
      actual.fsyncSync(file);
    },
    linkSync(from: string, to: string) {
      calls.push("link");
      actual.linkSync(from, to);
    },
  };
});

const root = mkdtempSync(join(tmpdir(), "l2mac-key-"));
let env = { XDG_CONFIG_HOME: root };
let count = 0;
beforeEach(() => {
  count += 1;
  env = { XDG_CONFIG_HOME: join(root, String(count)) };
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

describeSigner("the key of this computer", () => createKeySigner(env));

describe("the key of this computer", () => {
  it("is created at its first use, for its user alone, and leaves nothing beside it", async () => {
    expect(existingPublicKey(env)).toBeUndefined();
    await createKeySigner(env).publicKey();
    expect(statSync(signingKeyPath(env)).mode & 0o777).toBe(0o600);
    expect(readdirSync(dirname(signingKeyPath(env)))).toEqual(["signing-key.pem"]);
    expect(existingPublicKey(env)?.asymmetricKeyType).toBe("ed25519");
  });

  it("is on the disk before anything is signed with it", async () => {
    calls.length = 0;
    await createKeySigner(env).sign(new Uint8Array());
    expect(calls).toEqual(["sync", "link", "sync"]);
  });

  it("removes what a process left that ended before it was done, and is never written to a file that was there", async () => {
    const folder = dirname(signingKeyPath(env));
    mkdirSync(folder, { recursive: true });
    const elsewhere = join(folder, "elsewhere");
    writeFileSync(elsewhere, "as it was\n");
    symlinkSync(elsewhere, `${signingKeyPath(env)}.new-${process.pid}`);
    await createKeySigner(env).publicKey();
    expect(readdirSync(folder).sort()).toEqual(["elsewhere", "signing-key.pem"]);
    expect(readFileSync(elsewhere, "utf8")).toBe("as it was\n");
  });

  it("is not replaced where it cannot be used: that is said", async () => {
    mkdirSync(dirname(signingKeyPath(env)), { recursive: true });
    writeFileSync(signingKeyPath(env), "no key\n", { mode: 0o600 });
    await expect(createKeySigner(env).sign(new Uint8Array())).rejects.toThrow(/cannot be used: it is no ed25519 key/);
    expect(readFileSync(signingKeyPath(env), "utf8")).toBe("no key\n");
  });

  it("is not used where others can write it", async () => {
    await createKeySigner(env).publicKey();
    chmodSync(signingKeyPath(env), 0o666);
    await expect(createKeySigner(env).publicKey()).rejects.toThrow(/another user could have written it/);
  });
});
