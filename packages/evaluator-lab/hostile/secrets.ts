/** Attacks that look for secrets: in files, environments, other processes, and whatever the evaluator left open. */
import type { Attack, HonestProject, OutsideFile } from "./attack.ts";
import { heldOff, lines, pythonAttempts, pythonTest, quoted } from "./attack.ts";

const attack = (name: string, files: Attack["files"], more: Partial<Attack> = {}): Attack => ({
  ...{ name, group: "secrets", needs: "python", ask: { tests: true }, honest: heldOff, harmless: true, files },
  ...more,
});

/** Elsewhere, too, a system may be set up to hold it off. */
const guarded = (name: string, files: Attack["files"]): Attack => attack(name, files, { harmless: false });

const reading = (paths: string[]): Record<string, string> => ({
  "test_attack.py": pythonAttempts(...paths.map((path) => [`return open(${quoted(path)}, 'rb').read()[:20]`])),
});
const ofHome = ({ home }: OutsideFile): string[] =>
  [".aws/credentials", ".ssh/id_ed25519", ".bashrc", ".config/l2mac/config.json", ".gitconfig"].map(
    (name) => `${home}/${name}`,
  );

const files: Attack[] = [
  attack("keys, credentials and settings in the user's home", (outside) => reading(ofHome(outside))),
  // Of a folder on the way to a program that it may use, it sees the way.
  attack("the folders of homes", ({ home }) => ({
    "test_attack.py": pythonAttempts(
      ...[home, "/root", "/home"].map((folder) => [
        "mounts = open('/proc/self/mountinfo').read()",
        `return [name for name in os.listdir(${quoted(folder)}) if ' ${folder}/%s' % name not in mounts] or None`,
      ]),
    ),
  })),
  attack("caches of installers in the user's home", ({ home }) =>
    reading([`${home}/.cache/pip/wheel`, `${home}/.npm/_cacache/index`]),
  ),
  attack("the registry and the reports of other runs", ({ l2macHome }) =>
    reading([`${l2macHome}/registry.sqlite`, `${l2macHome}/runs/OTHERRUN/report.json`]),
  ),
  attack("the tree of another run", ({ l2macHome }) => reading([`${l2macHome}/cache/trees/OTHERRUN/tree/main.py`])),
  attack("the evaluator's own folder, and the folder of all private ones", ({ l2macHome, scratch }) => ({
    "test_attack.py": pythonAttempts(
      [`return [name for name in os.listdir(${quoted(l2macHome)}) if name != 'cache'] or None`],
      [`return [name for name in os.listdir(${quoted(`${l2macHome}/cache/trees`)}) if name != 'HOSTILE'] or None`],
      [`os.rmdir(${quoted(`${scratch}/none`)})`, "return 'removed'"],
      [`return open(${quoted(`${l2macHome}/cache/seal/etc/passwd`)}).read()`],
    ),
  })),
  guarded("accounts and settings of the system", () => ({
    "test_attack.py": pythonAttempts(
      ...["/etc/shadow", "/etc/hostname", "/etc/machine-id", "/etc/resolv.conf", "/var/log/dpkg.log"].map((path) => [
        `return open(${quoted(path)}, 'rb').read()[:20] or None`,
      ]),
      ["import pwd", "return [each.pw_name for each in pwd.getpwall() if each.pw_name != 'sandbox'] or None"],
    ),
  })),
  attack("links in the copy to what lies outside", ({ home, l2macHome }) => ({
    "test_attack.py": pythonAttempts(
      ...[`${home}/.aws/credentials`, `${l2macHome}/registry.sqlite`, "/etc/shadow"].map((path, at) => [
        `os.symlink(${quoted(path)}, 'link-${at}')`,
        `return open('link-${at}', 'rb').read()[:20]`,
      ]),
      [`os.symlink(${quoted(home)}, 'link')`, "return os.listdir('link')"],
    ),
  })),
  attack(
    "hard links to what lies outside",
    ({ home, scripts }) => ({
      "test_attack.py": pythonAttempts(
        ...[`${home}/.aws/credentials`, `${scripts}/check-python.py`, "/etc/passwd"].map((path, at) => [
          `os.link(${quoted(path)}, 'link-${at}')`,
          `return os.stat('link-${at}').st_nlink`,
        ]),
      ),
    }),
    { harmless: false },
  ),
];

/** Sealed, it may see its own processes and no others. */
const processes: Attack[] = [
  attack("the environment and the arguments of every process", ({ victim, evaluator, secret, marker }) => ({
    "test_attack.py": pythonTest(
      "found = []",
      "for pid in filter(str.isdigit, os.listdir('/proc')):",
      "    for file in ('environ', 'cmdline'):",
      "        try:",
      "            text = open('/proc/%s/%s' % (pid, file), 'rb').read()",
      "        except OSError:",
      "            continue",
      `        if ${quoted(secret)}[7:].encode() in text or ${quoted(marker)}.encode() in text:`,
      "            found.append((pid, file))",
      "self.assertEqual(found, [])",
      `for pid in (${victim}, ${evaluator}):`,
      "    self.assertFalse(os.path.exists('/proc/%d/environ' % pid) and pid > 3000)",
    ),
  })),
  guarded("the memory of another process", ({ victim }) => ({
    "test_attack.py": pythonAttempts([
      `with open('/proc/${victim}/maps') as maps:`,
      "    start = int(maps.readline().split('-')[0], 16)",
      `with open('/proc/${victim}/mem', 'rb') as memory:`,
      "    memory.seek(start)",
      "    return len(memory.read(16))",
    ]),
  })),
  attack(
    "its own environment",
    ({ secret }) => ({
      "test_attack.py": pythonTest(
        `self.assertNotIn(${quoted(secret)}[7:], repr(dict(os.environ)))`,
        "self.assertEqual([name for name in os.environ if name.startswith(('AWS_', 'OPENAI_', 'L2MAC_HOME', 'npm_'))], [])",
        "print(os.environ)",
      ),
    }),
    { alsoUnsealed: true, harmless: false },
  ),
  attack(
    "descriptors that the evaluator left open",
    () => ({
      "attack.py": [
        "import os",
        "import sys",
        "found = []",
        "for name in range(3, 1024):",
        "    try:",
        "        found.append(os.readlink('/proc/self/fd/%d' % name))",
        "    except OSError:",
        "        pass",
        "print(found)",
        "sys.exit(1 if found else 0)",
        "",
      ].join("\n"),
    }),
    {
      ask: { command: ["python3", "attack.py"] },
      honest: { words: "it finds none", command: ["passed"] },
      harmless: false,
    },
  ),
  attack(
    "links and pipes in place of files that are kept",
    ({ home, marker }) => ({
      "attack.py": lines(
        "import os",
        "import shutil",
        `os.symlink(${quoted(`${home}/.aws/credentials`)}, 'link.txt')`,
        `os.symlink(${quoted(home)}, 'folder')`,
        "os.symlink('/proc/self/environ', 'environment.txt')",
        "os.mkfifo('pipe.txt')",
        "os.mkdir('own')",
        "open('own/.bashrc', 'w').close()",
        "shutil.rmtree('own')",
        `os.symlink(${quoted(home)}, 'own')`,
        `open('kept.txt', 'w').write(${quoted(marker)})`,
      ),
    }),
    {
      ask: { command: ["python3", "attack.py"], keep: ["**"] },
      honest: {
        words: "only the file that it wrote is kept",
        command: ["passed"],
        also: ({ command }, { marker }) => {
          const files = command?.kept?.files.map(({ path, base64 }) => `${path}: ${atob(base64)}`) ?? [];
          return files.join() === `kept.txt: ${marker}` ? [] : [`kept were ${files.join(", ") || "no files"}`];
        },
      },
      harmless: false,
      alsoUnsealed: true,
    },
  ),
  attack(
    "its parents' descriptors",
    () => ({
      "test_attack.py": pythonAttempts(
        ["return os.listdir('/proc/1/fd')"],
        ["return os.listdir('/proc/1/root/home') or None"],
        ["return os.listdir('/proc/1/cwd/home') or None"],
      ),
    }),
    { harmless: false },
  ),
];

/** The verdict is read by a model, by people and from logs: what looks like a key does not get there. */
const PRINTED = [
  "AKIAIOSFODNN7EXAMPLE",
  "ASIAIOSFODNN7EXAMPLE",
  `ghp_${"a1B2".repeat(9)}`,
  `github_pat_${"a1B2".repeat(15)}`,
  `sk-proj-${"a1B2".repeat(12)}`,
  `FwoGZXIvYXdzE${"a1B2c3D4".repeat(30)}`,
];
const KEY_LINES = ["-----BEGIN RSA PRIVATE KEY-----", "MIIEowIBAAKCAQEA1234", "-----END RSA PRIVATE KEY-----"];

const printed: Attack = attack(
  "what looks like keys, printed and in the names of tests",
  () => ({
    "test_attack.py": pythonTest(
      ...[...PRINTED, ...KEY_LINES].map((text) => `print(${quoted(text)})`),
      `self.fail(${quoted([...PRINTED, ...KEY_LINES].join("\n"))})`,
    ),
  }),
  {
    ...{ alsoUnsealed: true, harmless: false },
    honest: {
      words: "the test fails, and no key is shown",
      tests: ["failed"],
      also: (verdict) =>
        [...PRINTED, KEY_LINES[1] ?? ""]
          .filter((text) => JSON.stringify(verdict).includes(text))
          .map((text) => `it tells ${text}`),
    } satisfies HonestProject,
  },
);

export const secretAttacks: Attack[] = [...files, ...processes, printed];
