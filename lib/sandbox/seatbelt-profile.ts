/** The profile with which `sandbox-exec` of macOS closes a command off: what is not allowed is denied. Pure. */

export interface SeatbeltView {
  writable: readonly string[];
  readable: readonly string[];
}

/** Programs, libraries and the few settings that they read. Nothing of it belongs to a user. */
const SYSTEM = [
  ...["/bin", "/sbin", "/usr", "/System", "/Library/Apple", "/Library/Developer", "/Library/Java", "/opt/homebrew"],
  ...["/Applications/Xcode.app/Contents/Developer", "/private/var/db/dyld", "/private/var/db/timezone"],
  ...["/private/etc/ssl", "/private/etc/localtime", "/private/etc/hosts", "/private/etc/protocols"],
];
const DEVICES = ["/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"];

/**
 * Arguments of `sandbox-exec`, up to the command. Paths are parameters, so that no name can be read as a rule.
 * They must be real paths: rules are compared with what links lead to.
 */
export function seatbeltArguments({ writable, readable }: SeatbeltView): string[] {
  const written = writable.map((path, index) => [`WRITABLE_${index}`, path] as const);
  const read = readable.map((path, index) => [`READABLE_${index}`, path] as const);
  const given = [...written, ...read].flatMap(([name, path]) => ["-D", `${name}=${path}`]);
  const rules = [
    ...BASE,
    allow("file-read*", [...SYSTEM.map(subpath), ...DEVICES.map(literal), ...[...written, ...read].map(parameter)]),
    allow("file-write*", [...DEVICES.slice(0, 2).map(literal), ...written.map(parameter)]),
  ];
  return [...given, "-p", rules.join("\n"), "--"];
}

/** Without network: a loopback of its own does not exist there, and the common one has this computer's services. */
const BASE = [
  "(version 1)",
  "(deny default)",
  "(deny network*)",
  "(allow process-exec process-fork)",
  "(allow signal (target same-sandbox))",
  "(allow process-info* (target same-sandbox))",
  "(allow sysctl-read)",
  "(allow ipc-posix-sem)",
  // Names and times of files, as on the way to a real path; not what is in them.
  "(allow file-read-metadata)",
  '(allow file-read-data (literal "/"))',
];

const allow = (what: string, where: string[]): string =>
  `(allow ${what}\n${where.map((each) => `  ${each}`).join("\n")})`;
const subpath = (path: string): string => `(subpath "${path}")`;
const literal = (path: string): string => `(literal "${path}")`;
const parameter = ([name]: readonly [string, string]): string => `(subpath (param "${name}"))`;
