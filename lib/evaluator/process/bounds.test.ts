import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statfsSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { newFolder, noPython, removeFolders, toolchain } from "../../../test/doubles/evaluation.ts";
import { createExceeds } from "./bounds.ts";
import { contentOf } from "./folder-content.ts";
import { heldBy } from "./held-files.ts";

afterAll(removeFolders);

const ANOTHER_USER = 65_534;
/** Found out by trying: folders of tests may lie where only root may enter. */
const canLook = ((): boolean => {
  try {
    const folder = newFolder();
    chmodSync(folder, 0o755);
    return asOtherUser(() => readdirSync(folder)).length === 0;
  } catch {
    return false;
  }
})();

const MiB = 2 ** 20;
const enough = { bytes: 1024 * MiB, files: 50_000 };
const onLinux = process.platform === "linux";

describe.skipIf(!onLinux)("what lies in folders", () => {
  it("is counted, also deeper than a path may be long", () => {
    const folder = newFolder();
    writeFileSync(join(folder, "shallow"), new Uint8Array(MiB));
    const deep = `for i in $(seq 120); do mkdir ${"d".repeat(60)} && cd ${"d".repeat(60)}; done; head -c 2097152 /dev/urandom > bottom`;
    expect(spawnSync("bash", ["-c", deep], { cwd: folder }).status).toBe(0);
    const content = contentOf(folder, enough);
    expect(content.bytes).toBeGreaterThanOrEqual(3 * MiB);
    expect(content).toMatchObject({ files: 122, hides: false });
    rmSync(folder, { recursive: true, force: true });
  });

  it("ends the looking where it is too much", () => {
    const folder = newFolder();
    for (let n = 0; n < 20; n += 1) writeFileSync(join(folder, `${n}`), "x");
    expect(contentOf(folder, { bytes: MiB, files: 5 }).files).toBe(6);
  });

  it.skipIf(!canLook)(
    `may be hidden by permissions${canLook ? "" : " (needs folders that another user may enter)"}`,
    () => {
      const folder = newFolder();
      chmodSync(folder, 0o755);
      asOtherUser(() => expect(contentOf(folder, enough).hides).toBeFalsy());
      mkdirSync(join(folder, "shut"), { mode: 0 });
      asOtherUser(() => expect(contentOf(folder, enough).hides).toBe(true));
    },
  );
});

/** Root may look into any folder. */
function asOtherUser<Seen>(look: () => Seen): Seen {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(ANOTHER_USER);
  try {
    return look();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

describe.skipIf(!onLinux)("what processes hold", () => {
  it("is the files that have no name any more", () => {
    const path = join(newFolder(), "file");
    const before = heldBy([process.pid]);
    const file = openSync(path, "w");
    writeSync(file, new Uint8Array(4 * MiB));
    unlinkSync(path);
    const held = heldBy([process.pid, process.pid]);
    closeSync(file);
    expect(held.bytes - before.bytes).toBeGreaterThanOrEqual(4 * MiB);
    expect(held.files - before.files).toBe(1);
    expect(heldBy([process.pid]).files).toBe(before.files);
  });

  it.skipIf(noPython)("is shared memory without pages of theirs, and files that are only mapped", async () => {
    const folder = newFolder();
    const script = `import mmap, os, time
m = mmap.mmap(-1, 64 << 20); m.write(bytes(64 << 20)); m.madvise(mmap.MADV_DONTNEED)
f = os.open("mapped", os.O_CREAT | os.O_RDWR); os.posix_fallocate(f, 0, 4096); n = mmap.mmap(f, 4096); os.close(f); os.unlink("mapped")
print("ready", flush=True); time.sleep(60)`;
    const child = spawn(toolchain.python ?? "", ["-c", script], { cwd: folder });
    await once(child.stdout, "data");
    const held = heldBy([child.pid ?? 0]);
    expect(held.sharedBytes).toBeGreaterThanOrEqual(64 * MiB);
    // Python keeps a descriptor of its own for what it maps: where it does, that is counted.
    expect(held.hides || held.files === 1).toBe(true);
    const bounds = { memoryBytes: 32 * MiB, processes: 10, diskBytes: statfsSync(folder).bfree * 4096, files: 1_000 };
    const exceeds = createExceeds(folder, bounds);
    let why: string | undefined;
    for (let n = 0; n < 60 && why === undefined; n += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      why = exceeds(child.pid ?? 0);
    }
    child.kill("SIGKILL");
    expect(why).toContain("of memory");
  });

  it("is within its bounds where its folder is gone", () => {
    const folder = newFolder();
    const bounds = { memoryBytes: 1024 * MiB, processes: 10, diskBytes: MiB, files: 10 };
    const exceeds = createExceeds(folder, bounds);
    rmSync(folder, { recursive: true });
    expect(exceeds(2 ** 22 + 1)).toBeUndefined();
    expect(createExceeds(folder, bounds)(2 ** 22 + 1)).toBeUndefined();
  });

  it("is nothing of a process that is gone", () => {
    expect(heldBy([2 ** 22 + 1])).toEqual({ bytes: 0, files: 0, sharedBytes: 0, hides: false });
  });
});
