import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { withFilter } from "../evaluator/process/run-command.ts";
import { openSandbox, type Sandbox } from "./sandbox.ts";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "seal-"));
  chmodSync(folder, 0o755);
  folders.push(folder);
  return folder;
}

const uid = process.getuid?.() ?? 1;
const sandboxFor = (parts: { env?: Record<string, string>; unsealed?: boolean } = {}): Sandbox =>
  openSandbox({ env: process.env, node: process.execPath, folder: newFolder(), uid, ...parts });
const sandbox = sandboxFor();
const python = sandbox.toolchain.python ?? "";
const noPython = python === "";
const noSeal = !sandbox.seal.describe().sealed;

const PIPES = ["pipe" as const, "pipe" as const, "pipe" as const];

/** Runs Node in the seal, in a folder of its own. */
function sealed(
  script: string,
  more: { readable?: string[]; args?: string[]; in?: Sandbox; descriptors?: ("ignore" | number)[] } = {},
) {
  const { seal, toolchain } = more.in ?? sandbox;
  const cwd = newFolder();
  if (seal.owner) chownSync(cwd, seal.owner.uid, seal.owner.gid);
  const argv = [toolchain.node, "-e", script, ...(more.args ?? [])];
  const start = seal.seal({ argv, cwd, writable: [cwd], readable: more.readable ?? [] });
  const [program = "", ...args] = start.argv;
  const env = { PATH: toolchain.path, HOME: cwd };
  const run = withFilter(start, (added) =>
    spawnSync(program, args, {
      ...{ cwd, env, encoding: "utf8" as const, timeout: 100_000 },
      stdio: [...PIPES, ...added, ...(more.descriptors ?? [])],
    }),
  );
  return { cwd, ...run };
}
const answer = (expression: string, args: string[] = []): string =>
  sealed(
    `Promise.resolve(${expression}).then((a) => console.log(String(a)), (e) => console.log(e.code ?? e.message))`,
    { args },
  ).stdout.trim();

describe.skipIf(noSeal)("the seal (needs bubblewrap)", () => {
  it("lets a program run, write in its folder and say how it ended", () => {
    const result = sealed("require('fs').writeFileSync('made', 'x'); console.log(process.cwd()); process.exitCode = 7");
    expect(result).toMatchObject({ status: 7, stdout: `${result.cwd}\n`, stderr: "" });
  });

  it("hands on no descriptor but the three that it is given, and all of those", () => {
    const secret = join(newFolder(), "secret");
    writeFileSync(secret, "hunter2");
    const handed = openSync(secret, "r");
    const links =
      "console.error('to err'); for (const n of require('fs').readdirSync('/proc/self/fd')) try { console.log(require('fs').readlinkSync('/proc/self/fd/' + n)) } catch {}";
    const found = sealed(links, { descriptors: [...Array(10).fill("ignore"), handed] });
    closeSync(handed);
    expect(found.stderr).toBe("to err\n");
    expect(found.stdout).toContain("pipe:");
    expect(found.stdout).not.toContain("secret");
  });

  it("has a filter of system calls, and none is added to what is handed on", () => {
    expect(sandbox.seal.describe().how).not.toContain("without a filter");
    expect(answer("/Seccomp:\\t(\\d)/.exec(require('fs').readFileSync('/proc/self/status', 'utf8'))[1]")).toBe("2");
    expect(
      answer("require('fs').existsSync('/proc/self/fd/4') && require('fs').readlinkSync('/proc/self/fd/4')"),
    ).not.toContain("bpf");
  });

  it("says nothing of the computer that projects do not need", () => {
    const facts = ["cmdline", "interrupts", "partitions", "modules", "keys", "sys/kernel/random/boot_id"];
    const found = facts.filter((name) => existsSync(`/proc/${name}`));
    const read = `${JSON.stringify(found)}.map((name) => require('fs').readFileSync('/proc/' + name, 'utf8').length)`;
    expect(answer(read)).toBe(found.map(() => 0).join(","));
  });

  it.skipIf(noPython)("shows of a virtual environment in a project's folder nothing but its own parts", () => {
    const project = newFolder();
    expect(spawnSync(python, ["-m", "venv", "--without-pip", project]).status).toBe(0);
    mkdirSync(join(project, ".git"));
    mkdirSync(join(project, "lib/own"));
    for (const path of [".env", ".git/config", "lib/own/secret", "settings.py"])
      writeFileSync(join(project, path), "x");
    const inside = sandboxFor({ env: { ...process.env, PATH: `${project}/bin:${process.env.PATH}` } });
    expect(inside.toolchain.python).toBe(join(project, "bin/python3"));
    const script = "console.log(process.argv.slice(1).filter((path) => require('fs').existsSync(path)).join());";
    const hidden = [".env", ".git/config", "lib/own/secret", "settings.py"].map((path) => join(project, path));
    const { stdout } = sealed(script, { in: inside, args: [...hidden, join(project, "pyvenv.cfg")] });
    expect(stdout).toBe(`${join(project, "pyvenv.cfg")}\n`);
    const run = sealed(
      "console.log(require('child_process').spawnSync('python3', ['-c', 'import sys, json, ctypes; print(sys.prefix)'], { encoding: 'utf8' }).stdout)",
      { in: inside },
    );
    expect(run.stdout.trim()).toBe(project);
  });

  it("is the first to go where memory runs out", () => {
    expect(answer("require('fs').readFileSync('/proc/self/oom_score_adj', 'utf8').trim()")).toBe("1000");
  });

  it("writes nothing that would lie in memory, but for shared memory of its own and of a bounded size", () => {
    const write = "require('fs').writeFileSync(process.argv[1] + '/x', 'x')";
    for (const folder of ["/dev", "/", "/etc"])
      expect(sealed(write, { args: [folder] }).stderr).toMatch(/EROFS|EACCES/);
    const fill = `const fs = require('fs'); console.log(fs.readdirSync('/dev/shm').length);
      try { for (let at = 0; at < 80; at += 1) fs.appendFileSync('/dev/shm/x', Buffer.alloc(2 ** 20)) } catch ({ code }) { console.log(code) }`;
    for (const _ of ["once", "again"]) expect(sealed(fill).stdout).toBe("0\nENOSPC\n");
  });

  it("looks like a computer: names, services and types are known", () => {
    expect(answer("require('os').hostname()")).toBe("sandbox");
    const lookup = "require('dns/promises').lookup(require('os').hostname()).then((found) => found.address)";
    expect(answer(lookup)).toBe("127.0.0.1");
    const named =
      "['services', 'protocols', 'mime.types'].map((name) => require('fs').readFileSync('/etc/' + name, 'utf8')).join('')";
    const text = sealed(`console.log(${named})`).stdout;
    for (const line of ["http 80/tcp", "tcp 6 TCP", "text/markdown md markdown"]) expect(text).toContain(`${line}\n`);
  });

  it("has no network: neither the world nor this computer's own services", () => {
    const connect = (to: string) =>
      `new Promise((a, b) => require('net').connect(${to}).on('connect', () => a('connected')).on('error', b))`;
    expect(answer(connect("80, '198.51.100.1'"))).toMatch(/ENETUNREACH|EPERM/);
    expect(answer(connect("22, '127.0.0.1'"))).toBe("ECONNREFUSED");
    expect(answer("Object.keys(require('os').networkInterfaces())")).toMatch(/^(lo)?$/);
  });

  it("may use its own loopback", () => {
    const serve =
      "new Promise((a) => { const s = require('net').createServer().listen(0, 'localhost', () => { s.close(); a('listening'); }) })";
    expect(answer(serve)).toBe("listening");
  });

  it("cannot read homes, secrets of the system or files beside its own", () => {
    const secret = join(newFolder(), "secret");
    writeFileSync(secret, "hunter2");
    const read = "require('fs').readFileSync(process.argv[1])";
    for (const path of [secret, "/etc/shadow", "/etc/hostname", "/root/.bashrc", join(process.cwd(), "package.json")])
      expect(sealed(read, { args: [path] }).stderr).toMatch(/ENOENT|EACCES/);
    expect(answer("require('fs').existsSync('/home')")).toBe("false");
    expect(answer("require('os').userInfo().username")).toBe("sandbox");
  });

  it("sees no process but its own, and no environment but its own", () => {
    const environments =
      "require('fs').readdirSync('/proc').filter((name) => name > '0' && name < 'a').map((name) => { try { return require('fs').readFileSync('/proc/' + name + '/environ') } catch { return '' } }).join()";
    process.env.L2MAC_TEST_SECRET = "hunter2";
    const seen = answer(environments);
    delete process.env.L2MAC_TEST_SECRET;
    expect(seen).not.toContain("hunter2");
    expect(answer(`require('fs').existsSync('/proc/${process.pid}/cmdline') && process.ppid > 1000`)).toBe("false");
  });

  it("cannot write what it may only read, nor to the system", () => {
    const folder = newFolder();
    writeFileSync(join(folder, "a"), "a");
    chmodSync(folder, 0o777);
    const write = "require('fs').writeFileSync(process.argv[1], 'x')";
    for (const path of [join(folder, "b"), "/usr/x", process.execPath, "/etc/passwd", "/proc/sys/kernel/core_pattern"])
      expect(sealed(write, { args: [path], readable: [folder] }).stderr).toMatch(/EROFS|EACCES|EPERM|ETXTBSY/);
    expect(
      sealed("console.log(require('fs').readFileSync(process.argv[1], 'utf8'))", {
        args: [join(folder, "a")],
        readable: [folder],
      }).stdout,
    ).toBe("a\n");
  });

  it("has no rights to become somebody else or to make a view of its own", () => {
    const status = sealed("console.log(require('fs').readFileSync('/proc/self/status', 'utf8'))").stdout;
    expect(status).toMatch(/CapEff:\s+0+\n/);
    expect(status).toMatch(/NoNewPrivs:\s+1\n/);
    expect(answer("process.getuid()")).toBe("65534");
    const nested = "require('child_process').spawnSync('unshare', ['--user', 'true']).status";
    expect(answer(nested)).not.toBe("0");
  });

  it("ends with everything it started, also what left its group", async () => {
    const script = `require('child_process').spawn('setsid', ['sleep', '3600.${process.pid}'], { detached: true, stdio: 'ignore' }).unref(); console.log('left')`;
    expect(sealed(script).stdout).toBe("left\n");
    const lives = (): boolean =>
      spawnSync("ps", ["-eo", "args"], { encoding: "utf8" }).stdout.includes(`sleep 3600.${process.pid}`);
    // The kernel takes a moment to end what is left in a namespace; the sleeper itself would stay for an hour.
    await expect.poll(lives).toBe(false);
  });

  it.skipIf(!sandbox.seal.describe().how.includes("limits"))(
    "bounds processes, files and memory (needs prlimit)",
    () => {
      const bomb =
        "require('child_process').spawnSync('sh', ['-c', 'for i in $(seq 1 1200); do sleep 600 >/dev/null 2>&1 & done'], { encoding: 'utf8' }).stderr";
      expect(answer(bomb)).toMatch(/fork/i);
      const large = "require('fs').truncateSync(require('fs').openSync('large', 'w'), 2 ** 40)";
      expect(sealed(large).status).not.toBe(0);
    },
  );

  it.skipIf(uid !== 0)("runs what root seals as nobody (needs root)", () => {
    expect(sandbox.seal.owner).toEqual({ uid: 65_534, gid: 65_534 });
    expect(sandbox.seal.describe().how).toContain("as nobody");
  });

  /** Found out by trying: root of a container may not become another user, and others may not enter its folders. */
  const asUser = ["--reuid=12345", "--regid=12345", "--clear-groups", process.execPath];
  const readsThis = `require("fs").readFileSync(${JSON.stringify(import.meta.filename)})`;
  const canBecomeUser = uid === 0 && spawnSync("setpriv", [...asUser, "-e", readsThis], { cwd: "/" }).status === 0;
  it.skipIf(!canBecomeUser)("works for an ordinary user too (needs root to become one)", () => {
    const folder = newFolder();
    chownSync(folder, 12_345, 12_345);
    mkdirSync(join(folder, "home"));
    const script = `
      import { openSandbox } from ${JSON.stringify(join(import.meta.dirname, "sandbox.ts"))};
      import { spawnSync } from "node:child_process";
      import { openSync } from "node:fs";
      const folder = ${JSON.stringify(folder)};
      const { seal, toolchain } = openSandbox({ env: { PATH: "/usr/bin:/bin" }, node: process.execPath, folder, uid: process.getuid() });
      const { argv, filter } = seal.seal({ argv: [toolchain.node, "-p", "process.getuid()"], cwd: folder, writable: [folder], readable: [] });
      console.log(seal.describe().sealed, spawnSync(argv[0], argv.slice(1), { cwd: folder, env: {}, encoding: "utf8", stdio: ["pipe", "pipe", "pipe", "pipe", openSync(filter)] }).stdout);`;
    const change = [...asUser, "--input-type=module", "-e", script];
    const result = spawnSync("setpriv", change, { cwd: folder, env: { PATH: "/usr/bin:/bin" }, encoding: "utf8" });
    expect(`${result.stderr}${result.stdout}`).toContain("true 65534");
  });
});

describe("the sandbox", () => {
  const alone = ["--user", "--map-root-user", process.execPath];
  const canBeAlone = spawnSync("unshare", [...alone, "-e", ""]).status === 0;
  it.skipIf(!canBeAlone)("opens for a root that is the only user of its namespace (needs unshare)", () => {
    const script = `
      import { openSandbox } from ${JSON.stringify(join(import.meta.dirname, "sandbox.ts"))};
      const { seal } = openSandbox({ env: process.env, node: process.execPath, folder: process.argv[1], uid: process.getuid() });
      console.log(process.getuid(), seal.owner);`;
    const run = [...alone, "--input-type=module", "-e", script, newFolder()];
    const { stdout, stderr } = spawnSync("unshare", run, { encoding: "utf8" });
    expect(`${stderr}${stdout}`).toBe("0 undefined\n");
  });

  it("says when it is not sealed, and why", () => {
    const bare = sandboxFor({ env: { PATH: "" } });
    expect(bare.seal.describe()).toEqual({ sealed: false, how: "bubblewrap (bwrap) is not installed" });
    expect(bare.seal.seal({ argv: ["a", "b"], cwd: "/", writable: [], readable: [] })).toEqual({ argv: ["a", "b"] });
    expect(bare.toolchain).toMatchObject({ node: expect.stringContaining("node") });
    expect(bare.toolchain.python).toBeUndefined();
  });

  it("is not sealed where that is turned off", () => {
    expect(sandboxFor({ unsealed: true }).seal.describe()).toEqual({ sealed: false, how: "it was turned off" });
  });

  it("takes a bubblewrap that does not work for none", () => {
    const folder = newFolder();
    writeFileSync(join(folder, "bwrap"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    expect(sandboxFor({ env: { PATH: folder } }).seal.describe()).toEqual({
      sealed: false,
      how: "bubblewrap (bwrap) does not work here",
    });
  });

  it.skipIf(noSeal)("looks for commands only where a sealed command can see them (needs bubblewrap)", () => {
    const folder = newFolder();
    const { toolchain } = sandboxFor({ env: { PATH: [folder, "/usr/bin", "relative", ""].join(delimiter) } });
    expect(toolchain.path.split(delimiter)).toContain("/usr/bin");
    expect(toolchain.path.split(delimiter)).not.toContain(folder);
    expect(toolchain.path.split(delimiter)).not.toContain("relative");
  });
});
