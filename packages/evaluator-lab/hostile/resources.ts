/** Attacks that take all there is: processes, memory, disk, time, output. */
import type { Verdict } from "../../../lib/core/verdict/verdict.ts";
import { type Attack, type HonestProject, heldOff, lines, nodeTest, pythonAttempts, pythonTest } from "./attack.ts";

const python = (name: string, more: Pick<Attack, "files"> & Partial<Attack>): Attack => ({
  ...{ name, group: "resources", needs: "python", ask: { tests: true }, honest: ended },
  // Who is to end by itself has the time for it, on a busy computer too.
  timeoutMs: (more.honest?.tests?.includes("timed_out") ?? true) ? 3_000 : 60_000,
  ...more,
});
const node = (name: string, more: Pick<Attack, "files"> & Partial<Attack>): Attack => {
  const { needs: _, ...attack } = python(name, more);
  return attack;
};
const alone = { alone: true, lasting: true } as const;
const command = (name: string, script: string[], honest: HonestProject): Attack => ({
  ...{ name, group: "resources", honest },
  timeoutMs: honest.command?.includes("timed_out") ? 3_000 : 60_000,
  files: () => ({ "attack.sh": lines(...script) }),
  ask: { command: ["sh", "attack.sh"] },
});

const ended: HonestProject = { words: "it did not end by itself", tests: ["timed_out", "crashed", "failed"] };
const timedOut: HonestProject = { words: "it ran out of time", tests: ["timed_out"] };
const commandTimedOut: HonestProject = { words: "it ran out of time", command: ["timed_out"] };
const refused: HonestProject = { ...heldOff, words: "it is refused what it takes, and goes on" };
/** Endless output is no reason for an endless verdict. */
const cut = (verdict: Verdict): string[] => [
  ...(verdict.truncated.length > 0 ? [] : ["the verdict does not say that something was cut"]),
  ...(JSON.stringify(verdict).length < 500_000 ? [] : ["the verdict is as long as the output"]),
];
const endedBecause =
  (why: RegExp) =>
  (verdict: Verdict): string[] =>
    why.test(verdict.tests.output) ? [] : [`the verdict does not say why: ${verdict.tests.output.slice(-300)}`];

/** Succeeds where something is left there, or where it takes more than its share. */
const fillSharedMemory = [
  'if os.listdir("/dev/shm"):',
  '    return os.listdir("/dev/shm")',
  "for number in range(100):",
  '    with open("/dev/shm/l2mac-fill-%d" % number, "wb") as file:',
  '        file.write(b"x" * (1 << 20))',
  "return number",
];

const processes: Attack[] = [
  python("a fork bomb in Python", {
    ...alone,
    files: () => ({
      "test_attack.py": pythonTest(
        "while True:",
        "    try:",
        "        os.fork()",
        "    except OSError:",
        "        pass",
      ),
    }),
    timeoutMs: 60_000,
    honest: { words: "it is ended, and that says why", tests: ["crashed"], also: endedBecause(/processes/) },
  }),
  node("a fork bomb in JavaScript", {
    ...alone,
    files: () => ({
      "bomb.js": lines(
        'const { spawn } = require("node:child_process");',
        "setInterval(() => { for (let i = 0; i < 8; i += 1) spawn(process.execPath, [__filename], { detached: true, stdio: 'ignore' }).on('error', () => {}); }, 1);",
      ),
      "attack.test.js": nodeTest('require("./bomb.js");', "await new Promise(() => {});"),
    }),
  }),
  {
    ...command("a fork bomb in the shell", ["bomb() { bomb | bomb & }", "bomb", "sleep 60"], {
      words: "it is as its first process was, when time was over or before",
      command: ["timed_out", "failed", "crashed", "passed"],
    }),
    ...alone,
  },
  python("a daemon that leaves its session and its parents", {
    files: () => ({
      "test_attack.py": pythonTest(
        "if os.fork() == 0:",
        "    os.setsid()",
        "    if os.fork() == 0:",
        "        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):",
        "            signal.signal(number, signal.SIG_IGN)",
        "        for descriptor in range(3):",
        "            os.close(descriptor)",
        "        while True:",
        "            time.sleep(0.01)",
        "    os._exit(0)",
      ),
    }),
    honest: { words: "the test ends well, and the daemon with it", tests: ["passed"] },
  }),
  command("nohup and setsid in the background", ["nohup setsid sleep 3600 >/dev/null 2>&1 &", "exit 0"], {
    words: "the command ends well, and what it left behind with it",
    command: ["passed"],
  }),
  python("killing every process that it can", {
    files: () => ({ "test_attack.py": pythonTest("os.kill(-1, signal.SIGKILL)", "time.sleep(60)") }),
  }),
];

const memory: Attack[] = [
  python("a memory bomb in Python", {
    ...alone,
    files: () => ({
      "test_attack.py": pythonTest("taken = []", "while True:", "    taken.append(bytes(64 << 20))"),
    }),
    timeoutMs: 60_000,
    honest: { words: "it gets no more, or is ended", tests: ["failed", "crashed"] },
  }),
  node("a memory bomb in JavaScript", {
    ...alone,
    files: () => ({
      "attack.test.js": nodeTest("const taken = [];", "for (;;) taken.push(Buffer.alloc(64 << 20));"),
    }),
    timeoutMs: 60_000,
    honest: { words: "it gets no more, or is ended", tests: ["failed", "crashed"] },
  }),
  python("a memory bomb of many processes", {
    ...alone,
    files: () => ({
      "test_attack.py": pythonTest(
        "for _ in range(24):",
        "    if os.fork() == 0:",
        "        taken = b'x' * (400 << 20)",
        "        time.sleep(60)",
        "time.sleep(60)",
      ),
    }),
    timeoutMs: 60_000,
    honest: { words: "it is ended, and that says why", tests: ["crashed"], also: endedBecause(/of memory/) },
  }),
  python("shared memory that was written, and that no process has pages of", {
    ...alone,
    files: () => ({
      "test_attack.py": pythonTest(
        "import mmap",
        "taken = []",
        "some = bytes(4 << 20)",
        "for number in range(14):",
        "    taken.append(mmap.mmap(-1, 400 << 20))",
        "    for _ in range(100):",
        "        taken[-1].write(some)",
        "    taken[-1].madvise(mmap.MADV_DONTNEED)",
        "time.sleep(20)",
      ),
    }),
    timeoutMs: 60_000,
    honest: { words: "it is ended, and that says why", tests: ["crashed"], also: endedBecause(/of memory/) },
  }),
  python("memory taken as files of /dev and the root folder", {
    files: () => ({
      "test_attack.py": pythonAttempts(
        ...["/dev", "/", "/etc", "/run", "/proc"].map((folder) => [
          `with open("${folder}/l2mac-fill", "wb") as file:`,
          `    return file.write(b"x" * 4096)`,
        ]),
      ),
    }),
    honest: refused,
  }),
  python("memory taken as shared memory, and left there for the next evaluation", {
    files: () => ({ "test_attack.py": pythonAttempts(fillSharedMemory) }),
    next: [
      { files: () => ({ "test_attack.py": pythonAttempts(fillSharedMemory) }), ask: { tests: true }, honest: refused },
    ],
    honest: refused,
  }),
  python("memory taken as files of /tmp", {
    ...alone,
    files: () => ({
      "test_attack.py": pythonAttempts([
        "for number in range(100):",
        '    with open("/tmp/l2mac-fill-%d" % number, "wb") as file:',
        "        for _ in range(16):",
        '            file.write(b"x" * (4 << 20))',
        "return number",
      ]),
    }),
    honest: refused,
  }),
];

const disk: Attack[] = [
  python("a disk filled with large files", {
    ...alone,
    files: () => ({
      "test_attack.py": pythonTest(
        "for number in range(1000):",
        '    with open("fill-%d" % number, "wb") as file:',
        "        os.posix_fallocate(file.fileno(), 0, 400 << 20)",
        "    time.sleep(0.01)",
      ),
    }),
    timeoutMs: 60_000,
    honest: { words: "it is ended, and that says why", tests: ["crashed"], also: endedBecause(/files take more than/) },
  }),
  ...Object.entries({
    "unlinked files that are only mapped": [
      "file = open('fill-%d' % number, 'w+b')",
      "file.truncate(4096)",
      "kept.append(ctypes_map(file.fileno()))",
      "os.unlink(file.name)",
    ],
    "files in folders deeper than any path is long": [
      "for _ in range(20):",
      "    os.mkdir('d' * 250)",
      "    os.chdir('d' * 250)",
      "file = open('fill-%d' % number, 'wb')",
    ],
  }).map(
    ([what, body]): Attack =>
      python(`a disk filled with ${what}`, {
        ...alone,
        files: () => ({
          "test_attack.py": pythonTest(
            "import ctypes",
            "libc = ctypes.CDLL(None)",
            "libc.mmap.restype = ctypes.c_void_p",
            "def ctypes_map(descriptor):",
            "    return libc.mmap(None, ctypes.c_size_t(4096), 1, 1, descriptor, ctypes.c_long(0))",
            "kept = []",
            "for number in range(12):",
            ...[...body, "os.posix_fallocate(file.fileno(), 0, 400 << 20)"].map((line) => `    ${line}`),
            "    time.sleep(0.1)",
            "file.close()",
            "time.sleep(20)",
          ),
        }),
        timeoutMs: 60_000,
        honest: {
          words: "it is ended, and that says why",
          tests: ["crashed"],
          also: endedBecause(/files take more than/),
        },
      }),
  ),
  python("a sparse file of 50 GB", {
    files: () => ({
      "test_attack.py": pythonAttempts([
        'with open("sparse", "wb") as file:',
        "    file.truncate(50 << 30)",
        "return os.stat('sparse').st_size",
      ]),
    }),
    honest: refused,
  }),
  python("as many empty files as there is room for", {
    ...alone,
    files: () => ({
      "test_attack.py": pythonTest(
        "number = 0",
        "while True:",
        "    number += 1",
        "    if number % 1000 == 1:",
        "        folder = 'many-%d' % number",
        "        os.mkdir(folder)",
        "    os.close(os.open('%s/%d' % (folder, number), os.O_CREAT | os.O_WRONLY))",
      ),
    }),
    timeoutMs: 120_000,
    honest: { words: "it is ended, and that says why", tests: ["crashed"], also: endedBecause(/files and folders/) },
  }),
  python("folders deeper than any path is long", {
    files: () => ({
      "test_attack.py": pythonTest(
        "for number in range(1500):",
        "    os.mkdir('deeper-and-deeper')",
        "    os.chdir('deeper-and-deeper')",
        "open('bottom', 'w').close()",
      ),
    }),
    honest: { words: "it does what it may, and nothing of it stays", tests: ["passed"] },
    timeoutMs: 60_000,
  }),
  python("files and folders whose permissions are taken away", {
    files: () => ({
      "test_attack.py": pythonTest(
        "for place in (os.getcwd(), os.environ['HOME'], os.environ['TMPDIR']):",
        "    os.makedirs(place + '/shut/inner')",
        "    open(place + '/shut/inner/file', 'w').close()",
        "    os.chmod(place + '/shut/inner/file', 0)",
        "    os.chmod(place + '/shut/inner', 0)",
        "    os.chmod(place + '/shut', 0)",
        "    os.chmod(place, 0)",
      ),
    }),
    honest: { words: "it does what it may, and nothing of it stays", tests: ["passed", "failed", "crashed"] },
  }),
];

const time: Attack[] = [
  python("an endless loop that ignores being asked to end", {
    files: () => ({
      "test_attack.py": pythonTest(
        "for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:",
        "    signal.signal(number, signal.SIG_IGN)",
        "while True:",
        "    pass",
      ),
    }),
    honest: timedOut,
  }),
  python("a process that stops itself and all around it", {
    files: () => ({
      "test_attack.py": pythonTest("os.kill(0, signal.SIGSTOP)", "os.kill(os.getpid(), signal.SIGSTOP)"),
    }),
    honest: timedOut,
  }),
  python("an end at the very moment when time is over", {
    files: () => ({ "test_attack.py": pythonTest("time.sleep(2.9)", "os._exit(0)") }),
    honest: { words: "it never says that the tests passed", tests: ["timed_out", "crashed", "failed"] },
  }),
  python("a clock that is set, and one that is made up", {
    files: () => ({
      "test_attack.py": pythonTest(
        "with self.assertRaises(OSError):",
        "    time.clock_settime(time.CLOCK_REALTIME, 0)",
        "time.time = time.monotonic = time.perf_counter = lambda: float('-inf')",
      ),
    }),
    honest: { words: "the tests ran, whatever they say about time", tests: ["passed", "failed", "crashed"] },
  }),
  python("a core dump", {
    files: () => ({
      "test_attack.py": pythonTest(
        "import resource",
        "self.assertEqual(resource.getrlimit(resource.RLIMIT_CORE), (0, 0))",
        "os.abort()",
      ),
    }),
    honest: { words: "a signal ended it", tests: ["crashed"] },
  }),
];

const output: Attack[] = [
  node("endless output", {
    files: () => ({
      "attack.test.js": nodeTest(
        "const fs = require('fs');",
        "for (;;) fs.writeSync(1, 'more and more\\n'.repeat(4000));",
      ),
    }),
    honest: { ...ended, also: cut },
  }),
  command("endless errors", ["yes 'more and more' >&2"], { ...commandTimedOut, also: cut }),
  command("one endless line", ["yes endless | tr -d '\\n'"], { ...commandTimedOut, also: cut }),
  python("names as long as books, and many of them", {
    files: () => ({
      "test_attack.py": lines(
        "import unittest",
        "class Attack(unittest.TestCase):",
        "    pass",
        "for number in range(300):",
        "    setattr(Attack, 'test_%d_%s' % (number, 'x' * 10000), lambda self: self.fail('y' * 10000))",
      ),
    }),
    timeoutMs: 60_000,
    honest: {
      words: "the tests fail, and not all of that is reported",
      tests: ["failed"],
      also: (verdict) => (JSON.stringify(verdict).length < 3_000_000 ? [] : ["the verdict is as long as the names"]),
    },
  }),
];

export const resourceAttacks: Attack[] = [...processes, ...memory, ...disk, ...time, ...output];
