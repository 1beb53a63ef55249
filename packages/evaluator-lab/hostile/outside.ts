/** What lies around the evaluator while it is attacked: a home with secrets, other runs, servers, a process. */
import { type ChildProcess, spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type ListenOptions } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { removeTree } from "../../../lib/evaluator/process/remove-tree.ts";
import { projectFile } from "../../../lib/files/project-files.ts";
import type { OutsideFile } from "./attack.ts";

export interface Surroundings {
  outside: OutsideFile;
  /** What differs from how it was at first, in words; a difference is reported once. */
  changed(): string[];
  close(): Promise<void>;
}

export async function openOutside(): Promise<Surroundings> {
  const folder = mkdtempSync(join(tmpdir(), "l2mac-hostile-"));
  const secret = `canary-${randomBytes(12).toString("hex")}`;
  const marker = `l2mac-was-here-${randomBytes(6).toString("hex")}`;
  const home = join(folder, "home");
  const scratch = join(folder, "scratch");
  for (const [path, text] of Object.entries(secretFiles(secret))) put(join(folder, path), text);
  mkdirSync(scratch);
  const victim = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e9)", marker], {
    env: { HOME: home, AWS_SECRET_ACCESS_KEY: secret, OPENAI_API_KEY: secret },
    stdio: "ignore",
  });
  await once(victim, "spawn");
  const visitors: string[] = [];
  const servers = await openServers(join(folder, "home/socket"), marker, (how) => visitors.push(how));
  const outside: OutsideFile = {
    ...{ home, l2macHome: join(folder, "l2mac"), secret, marker, scratch },
    ...{ victim: victim.pid ?? -1, evaluator: process.pid, scripts: projectFile("lib/evaluator/scripts") },
    ...servers.addresses,
  };
  return { outside, changed: watch(outside, folder, { victim, visitors }), close };

  async function close(): Promise<void> {
    servers.close();
    if (victim.exitCode === null && victim.signalCode === null) {
      victim.kill("SIGKILL");
      await once(victim, "exit");
    }
    await removeTree(folder);
  }
}

const secretFiles = (secret: string): Record<string, string> => ({
  "home/.aws/credentials": `[default]\naws_secret_access_key = ${secret}\n`,
  "home/.ssh/id_ed25519": `-----BEGIN OPENSSH PRIVATE KEY-----\n${secret}\n-----END OPENSSH PRIVATE KEY-----\n`,
  "home/.bashrc": `# ${secret}\n`,
  "home/.config/l2mac/config.json": `{"apiUrl":"https://${secret}.invalid"}\n`,
  "home/.cache/pip/wheel": secret,
  "home/.npm/_cacache/index": secret,
  "home/.gitconfig": `[user]\n  name = ${secret}\n`,
  "l2mac/registry.sqlite": `registry ${secret}`,
  "l2mac/runs/OTHERRUN/report.json": `{"note":"${secret}"}`,
  "l2mac/cache/trees/OTHERRUN/tree/main.py": `# ${secret}\n`,
});

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  // To be read by anybody: what keeps it from generated code must be the seal.
  writeFileSync(path, text, { mode: 0o644 });
}

type Addresses = Pick<OutsideFile, "tcp" | "tcp6" | "udp" | "socket" | "abstractSocket">;

async function openServers(socket: string, abstractSocket: string, visited: (how: string) => void) {
  const closing: (() => void)[] = [];
  const listen = async (how: string, at: ListenOptions): Promise<number> => {
    const server = createServer((visitor) => {
      visited(how);
      visitor.on("error", () => {});
      visitor.end("hello");
    });
    server.listen(at);
    try {
      await once(server, "listening");
    } catch {
      return 0; // Not every computer has IPv6.
    }
    closing.push(() => server.close());
    const address = server.address();
    return typeof address === "string" || address === null ? 0 : address.port;
  };
  const udp = createSocket("udp4", () => visited("UDP"));
  udp.bind(0, "127.0.0.1");
  await once(udp, "listening");
  closing.push(() => udp.close());
  await listen("a unix socket", { path: socket });
  await listen("an abstract unix socket", { path: `\0${abstractSocket}` });
  const addresses: Addresses = {
    tcp: await listen("TCP", { host: "127.0.0.1", port: 0 }),
    tcp6: await listen("TCP over IPv6", { host: "::1", port: 0 }),
    udp: (udp.address() as AddressInfo).port,
    ...{ socket, abstractSocket },
  };
  return { addresses, close: () => closing.forEach((each) => void each()) };
}

function watch(outside: OutsideFile, folder: string, seen: { victim: ChildProcess; visitors: string[] }) {
  let before = snapshot(outside, folder);
  return (): string[] => {
    const now = snapshot(outside, folder);
    const paths = new Set([...before.keys(), ...now.keys()]);
    const differing = [...paths].filter((path) => before.get(path) !== now.get(path));
    before = now;
    const { victim, visitors } = seen;
    return [
      ...differing.map((path) => `${path} was changed`),
      ...readdirSync(outside.scratch).map((name) => `${name} stayed in the scratch folder`),
      ...markedFiles(outside.marker).map((path) => `${path} was made`),
      ...livingOn(strays(outside.scratch)),
      ...visitors.splice(0).map((how) => `a server was reached by ${how}`),
      ...(victim.exitCode === null && victim.signalCode === null ? [] : ["a process outside was ended"]),
    ];
  };
}

const livingOn = (pids: string[]): string[] =>
  pids.length > 0 ? [`${pids.length} processes lived on: ${pids.slice(0, 5).join(", ")}`] : [];

/** The evaluator keeps the attacked run's own tree and its private folders: everything else stays as it is. */
const ITS_OWN = /^(?:scratch|l2mac\/cache\/(?:seal|environments|trees\/HOSTILE))(?:\/|$)/;

function snapshot({ scripts }: OutsideFile, folder: string): Map<string, string> {
  const found = new Map<string, string>();
  const add = (root: string, skipped: RegExp): void => {
    for (const name of readdirSync(root, { recursive: true, encoding: "utf8" }))
      if (!skipped.test(name)) found.set(join(root, name), described(join(root, name)));
  };
  add(folder, ITS_OWN);
  add(scripts, /(?!)/);
  found.set("/etc/passwd", described("/etc/passwd"));
  return found;
}

function described(path: string): string {
  const { mode, nlink, size } = lstatSync(path);
  const isFile = (mode & 0o170000) === 0o100000;
  const isLink = (mode & 0o170000) === 0o120000;
  const content = isFile ? createHash("sha256").update(readFileSync(path)).digest("hex") : "";
  return [mode, isFile ? `${nlink} ${size}` : "", content, isLink ? readlinkSync(path) : ""].join(" ");
}

const SHARED_FOLDERS = [
  "/",
  "/tmp",
  "/var/tmp",
  "/dev/shm",
  "/usr",
  "/usr/local",
  "/usr/bin",
  "/run",
  "/etc",
  process.cwd(),
];

const markedFiles = (marker: string): string[] =>
  SHARED_FOLDERS.flatMap((folder) => named(folder, marker).map((name) => join(folder, name)));

function named(folder: string, marker: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.includes(marker));
  } catch {
    return [];
  }
}

/** A process cannot hide what is mounted for it, nor, without a seal, where it was started. */
function strays(scratch: string): string[] {
  return readdirSync("/proc").filter(
    (pid) =>
      /^\d+$/.test(pid) &&
      Number(pid) !== process.pid &&
      ["mountinfo", "environ", "cmdline"].some((file) => textOf(`/proc/${pid}/${file}`).includes(`${scratch}/`)),
  );
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
