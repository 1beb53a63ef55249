/** The examiner of a rehearsal: it writes the tests of the scene, and declares what the scene proves by them. Pure. */
import type { ModelRequest } from "../../core/ports.ts";
import { isFoundByRunners, isTestPath, isTestSetting } from "../../core/verdict/test-paths.ts";
import type { Beat, Scene, SceneCall } from "./scene.ts";

const OPENING = "Examining the requirements";

/** How many answers the conversation has. Undefined: it is another one. */
function answersIn({ messages }: ModelRequest): number | undefined {
  const at = messages.findLastIndex(({ role, content }) => role === "user" && content.startsWith(OPENING));
  return at < 0 ? undefined : messages.slice(at).filter(({ role }) => role === "assistant").length;
}

/** So many calls of a turn are executed. */
const AT_ONCE = 10;

/** Undefined: no examiner is asked. */
export function examinerBeat(scene: Scene, request: ModelRequest): Beat | undefined {
  const answers = answersIn(request);
  if (answers === undefined) return undefined;
  const calls = scene.parts.flatMap(({ beats }) => beats.flatMap((beat) => beat.calls));
  const proofs = proofsIn(calls);
  const turns: SceneCall[][] = [[{ tool: "write_files", arguments: { files: testsIn(calls, proofs) } }]];
  for (let at = 0; at < proofs.length; at += AT_ONCE) turns.push(proofs.slice(at, at + AT_ONCE));
  const end = { tool: "complete_instruction", arguments: { summary: "The tests of the scene are the checks." } };
  return { say: "I write the tests of the scene before its code.", calls: turns[answers] ?? [end] };
}

interface TestFile {
  [name: string]: string;
  path: string;
  content: string;
}

/** As they are written last; of those that runners find, the ones that prove something. */
function testsIn(calls: SceneCall[], proofs: SceneCall[]): TestFile[] {
  const named = proofs.flatMap(({ arguments: { tests } }) => (Array.isArray(tests) ? tests.map(String) : []));
  const isNamed = (path: string): boolean => named.some((test) => test === path || test.startsWith(`${path}::`));
  const written = calls.flatMap(({ tool, arguments: { files } }) =>
    tool === "write_files" && Array.isArray(files) ? files : [],
  );
  const tests = written.flatMap((file): TestFile[] => {
    if (typeof file !== "object" || file === null || Array.isArray(file)) return [];
    const { path, content } = file;
    const isTest =
      typeof path === "string" &&
      isTestPath(path) &&
      !isTestSetting(path) &&
      (isNamed(path) || !isFoundByRunners(path));
    return isTest && typeof content === "string" ? [{ path, content }] : [];
  });
  return [...new Map(tests.map((file) => [file.path, file])).values()];
}

/** One for each requirement, with all its tests. */
function proofsIn(calls: SceneCall[]): SceneCall[] {
  const tests = new Map<string, Set<string>>();
  for (const { tool, arguments: given } of calls) {
    if (tool !== "prove" || typeof given.requirement !== "string" || !Array.isArray(given.tests)) continue;
    const named = tests.get(given.requirement) ?? new Set();
    for (const test of given.tests) if (typeof test === "string") named.add(test);
    tests.set(given.requirement, named);
  }
  return [...tests].map(([requirement, named]) => ({
    tool: "prove",
    arguments: { requirement, tests: [...named] },
  }));
}
