import { describe, expect, it } from "vitest";
import { seccompFilter } from "./seccomp-filter.ts";

const AUDIT = { x64: 0xc000003e, arm64: 0xc00000b7 };
type Architecture = keyof typeof AUDIT;

interface Call {
  number: number;
  arguments?: number[];
  audit?: number;
}

/** Decides as the kernel does. */
function decide(architecture: Architecture, call: Call): string {
  const program = seccompFilter(architecture) ?? new Uint8Array();
  const view = new DataView(program.buffer);
  const data = new DataView(new ArrayBuffer(64));
  data.setUint32(0, call.number, true);
  data.setUint32(4, call.audit ?? AUDIT[architecture], true);
  for (const [at, value] of (call.arguments ?? []).entries()) data.setBigUint64(16 + 8 * at, BigInt(value), true);
  let accumulator = 0;
  for (let at = 0; at < program.length; at += 8) {
    const [code, operand] = [view.getUint16(at, true), view.getUint32(at + 4, true)];
    const jump = (holds: boolean): number => 8 * view.getUint8(at + (holds ? 2 : 3));
    if (code === 0x06) return answers[operand] ?? `${operand}`;
    if (code === 0x20) accumulator = data.getUint32(operand, true);
    else if (code === 0x15) at += jump(accumulator === operand);
    else if (code === 0x25) at += jump(accumulator > operand);
    else if (code === 0x35) at += jump(accumulator >= operand);
    else if (code === 0x45) at += jump((accumulator & operand) !== 0);
    else throw new Error(`an operation that no filter has: ${code}`);
  }
  throw new Error("the program has no end");
}
const answers: Record<number, string> = {
  2147418112: "allow",
  2147483648: "kill",
  327681: "EPERM",
  327718: "ENOSYS",
  327777: "EAFNOSUPPORT",
};

/** On x86-64 and on ARM64. */
const NUMBERS: [name: string, x64: number, arm64: number][] = [
  ["read", 0, 63],
  ["openat", 257, 56],
  ["execve", 59, 221],
  ["exit_group", 231, 94],
  ["mmap", 9, 222],
  ["futex", 202, 98],
  ["rt_sigreturn", 15, 139],
  ["wait4", 61, 260],
  ["prlimit64", 302, 261],
  ["getrandom", 318, 278],
  ["statx", 332, 291],
  ["rseq", 334, 293],
  ["pidfd_open", 434, 434],
  ["fchmodat2", 452, 452],
];
const PRIVILEGED: [name: string, x64: number, arm64: number][] = [
  ["mount", 165, 40],
  ["unshare", 272, 97],
  ["setns", 308, 268],
  ["bpf", 321, 280],
  ["perf_event_open", 298, 241],
  ["add_key", 248, 217],
  ["request_key", 249, 218],
  ["keyctl", 250, 219],
  ["name_to_handle_at", 303, 264],
  ["open_by_handle_at", 304, 265],
  ["kexec_load", 246, 104],
  ["syslog", 103, 116],
  ["quotactl", 179, 60],
  ["init_module", 175, 105],
  ["finit_module", 313, 273],
  ["mount_setattr", 442, 442],
  ["process_vm_readv", 310, 270],
];
const ABSENT: [name: string, x64: number, arm64: number][] = [
  ["clone3", 435, 435],
  ["io_uring_setup", 425, 425],
  ["io_uring_register", 427, 427],
  ["memfd_create", 319, 279],
  ["memfd_secret", 447, 447],
  ["userfaultfd", 323, 282],
  ["shmget", 29, 194],
  ["msgget", 68, 186],
  ["semget", 64, 190],
  ["what comes later", 480, 480],
  ["what comes much later", 900, 900],
];

describe.each(["x64", "arm64"] as const)("the filter of system calls on %s", (architecture) => {
  const numberIn = ([, x64, arm64]: [string, number, number]) => (architecture === "x64" ? x64 : arm64);
  const decided = (list: [string, number, number][]) =>
    list.map((each) => [each[0], decide(architecture, { number: numberIn(each) })]);

  it("allows what programs need", () => {
    expect(decided(NUMBERS)).toEqual(NUMBERS.map(([name]) => [name, "allow"]));
  });

  it("refuses what takes privileges, and has nothing of what it does not know", () => {
    expect(decided(PRIVILEGED)).toEqual(PRIVILEGED.map(([name]) => [name, "EPERM"]));
    expect(decided(ABSENT)).toEqual(ABSENT.map(([name]) => [name, "ENOSYS"]));
  });

  it("makes processes and threads, and no namespaces", () => {
    const number = architecture === "x64" ? 56 : 220;
    const clone = (flags: number) => decide(architecture, { number, arguments: [flags] });
    expect([clone(17), clone(0x3d0f00), clone(0x1200011)]).toEqual(["allow", "allow", "allow"]);
    const flags = [0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000];
    expect(flags.map((flag) => clone(flag | 17))).toEqual(flags.map(() => "EPERM"));
  });

  it("has sockets of files, of IP, and of the list of interfaces", () => {
    const number = architecture === "x64" ? 41 : 198;
    const socket = (...values: number[]) => decide(architecture, { number, arguments: values });
    expect([socket(1, 1, 0), socket(2, 1, 6), socket(10, 2, 17), socket(16, 3, 0)]).toEqual(Array(4).fill("allow"));
    const others = [0, 3, 4, 9, 17, 21, 29, 30, 31, 38, 40, 42, 44].map((family) => socket(family, 1, 0));
    expect(others).toEqual(others.map(() => "EAFNOSUPPORT"));
    expect([4, 9, 12, 15, 16].map((protocol) => socket(16, 3, protocol))).toEqual(Array(5).fill("EAFNOSUPPORT"));
    const pair = architecture === "x64" ? 53 : 199;
    expect(decide(architecture, { number: pair, arguments: [1] })).toBe("allow");
    expect(decide(architecture, { number: pair, arguments: [30] })).toBe("EAFNOSUPPORT");
  });

  it("reads of an argument what the kernel reads of it", () => {
    const number = architecture === "x64" ? 16 : 29;
    const ioctl = (request: number) => decide(architecture, { number, arguments: [0, request] });
    expect([ioctl(0x5401), ioctl(0x5413)]).toEqual(["allow", "allow"]);
    expect([ioctl(0x5412), ioctl(0x541c), ioctl(2 ** 32 + 0x5412)]).toEqual(["EPERM", "EPERM", "EPERM"]);
    const persona = architecture === "x64" ? 135 : 92;
    const personality = (value: number) => decide(architecture, { number: persona, arguments: [value] });
    expect([0, 0x40000, 0xffffffff].map(personality)).toEqual(["allow", "allow", "allow"]);
    expect([8, 0x0400000, 0x0100000].map(personality)).toEqual(["EPERM", "EPERM", "EPERM"]);
  });

  it("ends programs that speak to the kernel as another architecture", () => {
    expect(decide(architecture, { number: 1, audit: 0x40000003 })).toBe("kill");
    const [other] = (["x64", "arm64"] as const).filter((each) => each !== architecture);
    expect(decide(architecture, { number: 1, audit: AUDIT[other ?? "x64"] })).toBe("kill");
    expect(decide(architecture, { number: 0x40000000 + 1 })).toBe(architecture === "x64" ? "kill" : "ENOSYS");
  });
});

it("has no filter for other processors", () => {
  expect(seccompFilter("riscv64")).toBeUndefined();
});
