/** A seccomp filter for bubblewrap: a program for the kernel that decides on each system call of the sandbox. Pure. */
import {
  answer,
  assemble,
  HAS_BIT,
  type Instruction,
  IS_AT_LEAST,
  IS_EQUAL,
  inRange,
  load,
  rangesOf,
  when,
} from "./bpf.ts";
import { type Architecture, systemCalls } from "./system-calls.ts";

const ALLOW = 0x7fff0000;
const KILL_PROCESS = 0x80000000;
const REFUSE = 0x00050000;
const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

/** Offsets in the kernel's `struct seccomp_data`; of arguments the lower halves, which are all that these calls read. */
const NUMBER = 0;
const ARCHITECTURE = 4;
const argument = (index: number): number => 16 + 8 * index;

/** `AUDIT_ARCH_X86_64` and `AUDIT_ARCH_AARCH64`. */
const AUDIT: Record<Architecture, number> = { x64: 0xc000003e, arm64: 0xc00000b7 };
/** Numbers from here on are those of x32, another set of calls of the same processor. */
const X32 = 0x40000000;

const NEW_NAMESPACES = 0x7e020000;
/** Pushing input into a terminal, and what the console can do beside it. */
const TERMINAL_INPUT = [0x5412, 0x541c];
const [UNIX, INET, INET6, NETLINK] = [1, 2, 10, 16];
/** The only netlink: the list of network interfaces is asked by it. */
const ROUTE = 0;
/** Linux, without randomized addresses (which sanitizers turn off), and the question what it is. */
const PERSONALITIES = [0, 0x40000, 0xffffffff];

/** Undefined where the numbers of the calls are not known. */
export function seccompFilter(architecture: string): Uint8Array | undefined {
  return architecture === "x64" || architecture === "arm64" ? assemble(programFor(architecture)) : undefined;
}

function programFor(architecture: Architecture): Instruction[] {
  const { allowed, refused, conditional } = systemCalls(architecture);
  return [
    load(ARCHITECTURE),
    [IS_EQUAL, 1, 0, AUDIT[architecture]],
    answer(KILL_PROCESS),
    load(NUMBER),
    ...(architecture === "x64" ? when(IS_AT_LEAST, X32, [answer(KILL_PROCESS)]) : []),
    ...Object.entries(conditional).flatMap(([name, number]) => when(IS_EQUAL, number, CONDITIONS[name] ?? [])),
    ...rangesOf(allowed).flatMap((range) => inRange(range, answer(ALLOW))),
    ...rangesOf(refused).flatMap((range) => inRange(range, answer(REFUSE | EPERM))),
    // glibc and others try newer calls first, and go on with older ones.
    answer(REFUSE | ENOSYS),
  ];
}

const oneOf = (values: number[], result: number): Instruction[] =>
  values.flatMap((value) => when(IS_EQUAL, value, [answer(result)]));

const FAMILY = oneOf([UNIX, INET, INET6], ALLOW);
const CONDITIONS: Record<string, Instruction[]> = {
  clone: [load(argument(0)), ...when(HAS_BIT, NEW_NAMESPACES, [answer(REFUSE | EPERM)]), answer(ALLOW)],
  socket: [
    load(argument(0)),
    ...FAMILY,
    ...when(IS_EQUAL, NETLINK, [load(argument(2)), ...oneOf([ROUTE], ALLOW), answer(REFUSE | EAFNOSUPPORT)]),
    answer(REFUSE | EAFNOSUPPORT),
  ],
  socketpair: [load(argument(0)), ...oneOf([UNIX], ALLOW), answer(REFUSE | EAFNOSUPPORT)],
  ioctl: [load(argument(1)), ...oneOf(TERMINAL_INPUT, REFUSE | EPERM), answer(ALLOW)],
  personality: [load(argument(0)), ...oneOf(PERSONALITIES, ALLOW), answer(REFUSE | EPERM)],
};
