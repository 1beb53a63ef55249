/** Attacks on the kernel by system calls that no toolchain needs. */
import { type Attack, heldOff, pythonAttempts } from "./attack.ts";

const attack = (name: string, ...attempts: string[][]): Attack => ({
  ...{ name, group: "system calls", needs: "python", ask: { tests: true }, honest: heldOff, timeoutMs: 60_000 },
  files: () => ({ "test_attack.py": pythonAttempts(...attempts) }),
});

type Numbers = [x64: number, arm64: number];

/** Succeeds where the call does. */
const calling = ([x64, arm64]: Numbers, ...values: (string | number)[]): string[] => [
  "import ctypes, platform",
  "libc = ctypes.CDLL(None, use_errno=True)",
  "block = ctypes.create_string_buffer(b'\\x01' + bytes(255), 4096)",
  `number = ${x64} if platform.machine() == 'x86_64' else ${arm64}`,
  `got = libc.syscall(ctypes.c_long(number), ${values.map((value) => `ctypes.c_long(${value})`).join(", ") || "0"})`,
  "return got if got >= 0 else None",
];
const text = (words: string): string => `ctypes.addressof(ctypes.create_string_buffer(b'${words}'))`;
const BLOCK = "ctypes.addressof(block)";

/** Of a child, which may be ended for it: what it ends with. */
const inChild = (...body: string[]): string[] => [
  "child = os.fork()",
  "if child == 0:",
  "    try:",
  ...body.map((line) => `        ${line}`),
  "    except BaseException:",
  "        os._exit(1)",
  "    os._exit(0 if got >= 0 else 1)",
  "status = os.waitpid(child, 0)[1]",
  "return 'it went through' if status == 0 else None",
];

const keyring: Attack = attack(
  "the keyring of the session and of the user",
  calling([250, 219], 0, -3, 0, 0, 0),
  calling([250, 219], 10, -3, text("user"), text("aws-vault:prod"), 0),
  calling([250, 219], 0, -4, 0, 0, 0),
  calling([248, 217], text("user"), text("left-here"), text("hello"), 5, -3),
  calling([248, 217], text("user"), text("left-here"), text("hello"), 5, -4),
  calling([249, 218], text("user"), text("aws-vault:prod"), 0, -3),
);

const interfaces: Attack = attack(
  "interfaces of the kernel that hold holes most often",
  calling([425, 425], 8, BLOCK),
  calling([323, 282], 1),
  calling([447, 447], 0),
  calling([321, 280], 0, BLOCK, 32),
  calling([298, 241], BLOCK, 0, -1, -1, 0),
  calling([300, 262], 0x200, 0),
  calling([303, 264], -100, text("/usr"), BLOCK, BLOCK, 0),
  calling([304, 265], -100, BLOCK, 0),
  calling([310, 270], "os.getpid()", 0, 0, 0, 0, 0),
  calling([312, 272], "os.getpid()", "os.getpid()", 0, 0, 0),
  calling([428, 428], -100, text("/"), 1),
  calling([430, 430], text("tmpfs"), 0),
  calling([442, 442], -100, text("/"), 0, BLOCK, 32),
  calling([103, 116], 3, BLOCK, 256),
  calling([179, 60], 0, 0, 0, 0),
  calling([159, 171], BLOCK),
);

const namespaces: Attack = attack(
  "a new namespace by each way to make a process",
  ...[0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000].flatMap((flag) => [
    calling([272, 97], flag),
    inChild(...calling([56, 220], flag + 17, 0, 0, 0, 0).slice(0, -1)),
  ]),
  calling([435, 435], BLOCK, 88),
);

const sockets: Attack = attack(
  "sockets that reach the host, or less used parts of the kernel",
  ...[17, 21, 29, 30, 31, 38, 40, 42, 43, 44].flatMap((family) =>
    [1, 2, 3, 5].map((kind) => [`return socket.socket(${family}, ${kind}).fileno()`]),
  ),
  ...[4, 9, 12, 15, 16].map((protocol) => [`return socket.socket(socket.AF_NETLINK, 3, ${protocol}).fileno()`]),
  [
    "listener = socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM)",
    "listener.bind((socket.VMADDR_CID_ANY, 45322))",
    "listener.listen()",
    "return 'it listens for the host'",
  ],
);

const architectures: Attack = attack(
  "the system calls of another architecture",
  ["import platform", "if platform.machine() != 'x86_64':", "    return None"].concat(
    inChild("import ctypes", "got = ctypes.CDLL(None).syscall(ctypes.c_long(0x40000000 + 39))"),
  ),
  ["import platform", "if platform.machine() != 'x86_64':", "    return None"].concat(
    inChild(
      "import ctypes, mmap",
      "code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)",
      "code.write(bytes([0xb8, 20, 0, 0, 0, 0xcd, 0x80, 0xc3]))",
      "got = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))()",
    ),
  ),
  calling([135, 92], 8),
);

const terminal: Attack = attack("typing into a terminal of its own", [
  "import fcntl, pty, termios",
  "child, leader = pty.fork()",
  "if child == 0:",
  "    try:",
  "        fcntl.ioctl(0, termios.TIOCSTI, b'x')",
  "    except OSError:",
  "        os._exit(1)",
  "    os._exit(0)",
  "return 'typed' if os.waitpid(child, 0)[1] == 0 else None",
]);

const memory: Attack = attack(
  "memory that belongs to no process",
  ["return os.memfd_create('m')"],
  calling([29, 194], 0, 1 << 20, 0o1600),
  calling([68, 186], 0, 0o1600),
  calling([64, 190], 0, 32, 0o1600),
);

export const systemCallAttacks: Attack[] = [keyring, interfaces, namespaces, sockets, architectures, terminal, memory];
