/** An attack on the evaluator: a hostile project, what is asked of it, and the only verdict that is honest. */
import type { CheckStatus, Verdict } from "../../../lib/core/verdict/verdict.ts";

export interface Attack {
  name: string;
  group: string;
  needs?: "python" | "pytest";
  /** The project. Where an attack aims at something outside, it is given the path. */
  files: (outside: OutsideFile) => Record<string, string>;
  ask: AttackRequest;
  honest: HonestProject;
  /** Of the evaluation. Short where the attack is to run out of time. */
  timeoutMs?: number;
  /** Evaluated after it in the same run: what the attack left for the next one. */
  next?: Pick<Attack, "files" | "ask" | "honest">[];
  /** Takes all there is of something: nothing else is evaluated meanwhile. */
  alone?: true;
  /** Aims at the next evaluation: a healthy project is evaluated right after it, after others when their group is done. */
  lasting?: true;
  /** Held off by more than the seal: it is evaluated unsealed, too. */
  alsoUnsealed?: true;
  /** Does no harm where nothing holds it off: there it must succeed, which shows that the seal is what holds it off. */
  harmless?: boolean;
}

export interface AttackRequest {
  syntax?: true;
  /** Of the syntax: only these. */
  paths?: string[];
  tests?: true;
  command?: string[];
  /** Of what the command writes. */
  keep?: string[];
  /** What the project declares is installed, and it gets an environment of its own. Without packages: no network is needed. */
  install?: true;
}

/** Each part that is named must have one of these statuses. */
export interface HonestProject {
  words: string;
  syntax?: CheckStatus[];
  tests?: CheckStatus[];
  command?: CheckStatus[];
  /** What else must be so: answers what is not, in words. */
  also?: (verdict: Verdict, outside: OutsideFile) => string[];
}

/** What lies around the evaluator. After each attack all of it is as it was, and no verdict tells of it. */
export interface OutsideFile {
  /** A user's home, with keys and credentials in it. */
  home: string;
  /** The evaluator's own, with the registry and the trees of other runs. */
  l2macHome: string;
  /** In all of those files and in the environment of the victim: it must be in no verdict. */
  secret: string;
  /** Whatever an attack makes outside its own folder has this in its name; then it is found. */
  marker: string;
  /** A process of this computer: it must live on. */
  victim: number;
  /** The evaluator's own process. */
  evaluator: number;
  /** Servers to which nothing may come. */
  tcp: number;
  tcp6: number;
  udp: number;
  socket: string;
  /** A name without the leading NUL. */
  abstractSocket: string;
  /** The folder in which the evaluator makes its private ones, and that of its scripts. */
  scratch: string;
  scripts: string;
}

/** Tests pass where nothing of what they try succeeds. */
export const heldOff: HonestProject = {
  words: "its tests pass, because nothing that they try succeeds",
  tests: ["passed"],
};

/** Lines of a file. */
export const lines = (...text: string[]): string => `${text.join("\n")}\n`;

const indented = (body: string[], by: number): string[] => body.map((line) => " ".repeat(by) + line);

/** A Python test of one body. */
export const pythonTest = (...body: string[]): string =>
  lines(
    "import os, signal, socket, stat, subprocess, sys, time, unittest",
    "",
    "",
    "class Attack(unittest.TestCase):",
    "    def test_attack(self):",
    ...indented(body, 8),
  );

/** A Python test that passes where every attempt is refused by the system. Each is a body that returns what it got. */
export const pythonAttempts = (...attempts: string[][]): string =>
  pythonTest(
    "succeeded = []",
    ...attempts.flatMap((body, at) => [
      `def attempt_${at}():`,
      ...indented(body, 4),
      "try:",
      `    got = attempt_${at}()`,
      "    if got is not None:",
      `        succeeded.append((${at}, got))`,
      "except (OSError, subprocess.SubprocessError):",
      "    pass",
    ]),
    "self.assertEqual(succeeded, [])",
  );

/** A test of Node of one body. */
export const nodeTest = (...body: string[]): string =>
  lines(
    'const test = require("node:test");',
    'const assert = require("node:assert");',
    'test("attack", async () => {',
    ...indented(body, 2),
    "});",
  );

/** As Python writes it. */
export const quoted = (text: string): string => JSON.stringify(text);
