/** What reads the lock files of all package managers. */
import { readBunLock } from "../../lib/evaluator/languages/javascript/locks/bun-lock.ts";
import { layLock } from "../../lib/evaluator/languages/javascript/locks/laid-lock.ts";
import type { LockGraph, LockRequest } from "../../lib/evaluator/languages/javascript/locks/lock-graph.ts";
import { followedLock } from "../../lib/evaluator/languages/javascript/locks/npm-lock.ts";
import { readPnpmLock } from "../../lib/evaluator/languages/javascript/locks/pnpm-lock.ts";
import { readYarnLock } from "../../lib/evaluator/languages/javascript/locks/yarn-lock.ts";
import { versionsIn } from "../../lib/evaluator/languages/python/python-locks.ts";
import { wantedGems } from "../../lib/evaluator/languages/ruby/gems.ts";
import { type Reader, refusing } from "./reader.ts";

const LOCK_REQUEST: LockRequest = {
  importers: [{ below: "", name: "p", wanted: { a: "^1.0.0", "@b/c": "npm:d@^2.0.0" } }],
  overridden: new Set(["a"]),
};
const lock = (read: (text: string, request: LockRequest) => LockGraph | undefined, seed: string): Reader => ({
  read: (text) =>
    refusing(() => {
      const graph = read(text, LOCK_REQUEST);
      return graph && layLock(graph, new Set(["p"]));
    }),
  seeds: [seed],
  most: 256 * 1024,
});
const HASH = `sha512-${"a".repeat(86)}==`;

export const LOCK_READERS: Record<string, Reader> = {
  "package-lock.json": {
    read: (text) => refusing(() => followedLock(text, ["", "packages/a"])),
    seeds: [
      `{"lockfileVersion":3,"packages":{"":{"dependencies":{"a":"^1"}},"node_modules/a":{"version":"1.0.0","integrity":"${HASH}","dependencies":{"d":"2"}},"node_modules/d":{"version":"2.0.0"}}}`,
    ],
    most: 256 * 1024,
  },
  "yarn.lock": lock(
    readYarnLock,
    `# yarn lockfile v1\n\n\na@^1.0.0, a@1:\n  version "1.0.0"\n  resolved "x"\n  integrity ${HASH}\n  dependencies:\n    "@b/c" "^2"\n\n"@b/c@npm:d@^2.0.0":\n  version "2.0.0"\n`,
  ),
  "yarn.lock of Berry": lock(
    readYarnLock,
    '__metadata:\n  version: 8\n\n"a@npm:^1.0.0":\n  version: 1.0.0\n  resolution: "a@npm:1.0.0"\n  dependencies:\n    d: "npm:^2.0.0"\n  checksum: 10/ab\n  linkType: hard\n',
  ),
  "pnpm-lock.yaml": lock(
    readPnpmLock,
    `lockfileVersion: '9.0'\nimporters:\n  .:\n    dependencies:\n      a:\n        specifier: ^1.0.0\n        version: 1.0.0(d@2.0.0)\npackages:\n  a@1.0.0:\n    resolution: {integrity: ${HASH}}\nsnapshots:\n  a@1.0.0(d@2.0.0):\n    dependencies:\n      d: 2.0.0\n`,
  ),
  "bun.lock": lock(
    readBunLock,
    `{"lockfileVersion": 1, "workspaces": {"": {"name": "p", "dependencies": {"a": "^1.0.0",},},},"packages": {"a": ["a@1.0.0", "", {"dependencies": {"d": "2"}}, "${HASH}"],},}`,
  ),
  "uv.lock": {
    read: versionsIn,
    seeds: [
      'version = 1\n[[package]]\nname = "a"\nversion = "1.0"\nsource = { registry = "x" }\n\n[[package]]\nname = "b-c"\nversion = "2.0"\n',
    ],
  },
  "Gemfile.lock": {
    read: (text) => wantedGems({ gemfile: text, gemspecs: [text], lock: text, version: text }),
    seeds: [
      "GEM\n  remote: x\n  specs:\n    a (1.0)\n      b (>= 2)\n",
      "source 'x'\ngem 'a', '~> 1.0'\ns.add_dependency 'b', '>= 1'\nruby '>= 3.1'\n",
    ],
  },
};
