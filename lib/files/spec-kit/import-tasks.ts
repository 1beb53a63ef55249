/** Task lists of spec-kit as programs: one instruction for each task that is not done. Pure. */
import { createPlaces, errorAt, type Finding, type ProgramSource } from "../../core/program/language/finding.ts";
import { requirementId, requirementTexts } from "./requirement-texts.ts";
import { readTasks, type Task } from "./tasks.ts";

/** Beside a task list: the texts of its requirements. */
export const REQUIREMENT_FILE = "spec.md";

/** The tool that wrote it, by where such files lie and by marks that no other list has. Undefined: it is a program. */
export function taskListOf(path: string, text: string): "spec-kit" | "Kiro" | "OpenSpec" | undefined {
  const place = path.replaceAll("\\", "/");
  if (!/(^|\/)tasks\.md$/i.test(place) || !/^[ \t]*[-*+][ \t]+\[[ xX~-]\]/m.test(text)) return undefined;
  if (/(^|\/)openspec\/changes\//i.test(place)) return "OpenSpec";
  if (/(^|\/)\.kiro\/specs\//i.test(place)) return "Kiro";
  if (/^[ \t]*[-*+][ \t]+\[[ xX]\][ \t]+\*{0,2}T-?\d{2,4}/m.test(text)) return "spec-kit";
  if (/^[ \t]*(?:[-*+][ \t]*)?_[^_:\n]{1,40}[:：][ \t]*\d+\.\d+/m.test(text)) return "Kiro";
  if (/^##[ \t]+\d+\./m.test(text) && /^[-*+][ \t]+\[[ xX]\][ \t]+\d+\.\d+/m.test(text)) return "OpenSpec";
  return undefined;
}

export interface ImportedTasks extends ProgramSource {
  /** What was left out or assumed, each a sentence. */
  notices: string[];
}

/** `beside`: the text of the file with the requirements, if there is one. */
export function importTasks(text: string, beside: string | undefined): ImportedTasks | { findings: Finding[] } {
  const tasks = withIds(readTasks(text));
  const open = tasks.filter(({ isDone }) => !isDone);
  if (tasks.length === 0) return problem("this is no task list of spec-kit: it has no item with a checkbox.");
  if (open.length === 0) return problem(`all ${tasks.length} tasks are done: there is nothing to execute.`);
  const asked = requirementsOf(open, beside);
  const needs = needsOf(tasks);
  const { set, placeOf } = createPlaces();
  const instructions = open.map(({ id, line, title, text: own, requirements }, index) => {
    set(["instructions", index], { line, column: 1 });
    const ids = requirements.flatMap((name) => asked.ids.get(name) ?? []);
    const needed = needs.get(id);
    return { id, title, text: own, requirements: [...new Set(ids)], ...(needed ? { needs: needed } : {}) };
  });
  const notices = [summary(tasks), ...asked.notices];
  return { data: { requirements: asked.requirements, instructions }, placeOf, notices };
}

const problem = (message: string): { findings: Finding[] } => ({
  findings: [{ ...errorAt([], message), place: { line: 1, column: 1 } }],
});

type NumberedTask = Task & { id: string };

/** The file's own numbers; a number that is there twice gets an end. */
function withIds(tasks: Task[]): NumberedTask[] {
  const taken = new Set<string>();
  return tasks.map((task, index) => {
    const label = task.label ?? `task-${index + 1}`;
    let id = label;
    for (let copy = 2; taken.has(id); copy += 1) id = `${label}-${copy}`;
    taken.add(id);
    return { ...task, id };
  });
}

function summary(tasks: Task[]): string {
  const done = tasks.filter(({ isDone }) => isDone).length;
  const left = done > 0 ? `; ${done} done ${done === 1 ? "task is" : "tasks are"} left out` : "";
  return `A task list of spec-kit: ${tasks.length - done} of ${tasks.length} tasks${left}.`;
}

/** Tasks with `[P]` need what was before them; the next one without needs all of them. Sections follow each other. */
function needsOf(tasks: NumberedTask[]): Map<string, string[]> {
  const isOpen = new Set(tasks.filter(({ isDone }) => !isDone).map(({ id }) => id));
  const seen = new Set<string>();
  const needs = new Map<string, string[]>();
  let before: string[] = [];
  let side: string[] = [];
  let section: string | undefined;
  for (const { id, isParallel, dependsOn, section: own, isDone } of tasks) {
    if (section !== own && side.length > 0) [before, side] = [side, []];
    section = own;
    if (!isDone) {
      const base = isParallel || side.length === 0 ? before : side;
      const named = dependsOn.filter((label) => seen.has(label) && isOpen.has(label));
      needs.set(id, [...new Set([...base, ...named])]);
      if (isParallel) side.push(id);
      else [before, side] = [[id], []];
    }
    seen.add(id);
  }
  return needs;
}

interface AskedRequirements {
  requirements: { id: string; text: string }[];
  /** By the file's names. */
  ids: Map<string, string>;
  notices: string[];
}

function requirementsOf(tasks: Task[], beside: string | undefined): AskedRequirements {
  const texts = beside === undefined ? new Map<string, string>() : requirementTexts(beside);
  const ids = new Map<string, string>();
  const requirements = new Map<string, string>();
  const missing: string[] = [];
  for (const name of new Set(tasks.flatMap((task) => task.requirements))) {
    const id = requirementId(name);
    const text = texts.get(name);
    if (id === undefined || text === undefined) missing.push(name);
    else {
      ids.set(name, id);
      requirements.set(id, text);
    }
  }
  const named = `${missing.slice(0, 5).join(", ")}${missing.length > 5 ? ", …" : ""}`;
  const notices =
    missing.length > 0
      ? [`Requirements without a text in ${REQUIREMENT_FILE} beside the file are left out: ${named}.`]
      : [];
  return { requirements: [...requirements].map(([id, text]) => ({ id, text })), ids, notices };
}
