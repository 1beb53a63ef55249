/** The tasks of a task list, in its order: an item without items inside is a task, the others are parts of the work. Pure. */
import { oneLine } from "../../core/program/program-item.ts";
import { type CheckboxItem, dedent, readCheckboxes } from "./checkbox-list.ts";

export interface Task {
  line: number;
  isDone: boolean;
  /** As the file numbers it: `T012`. */
  label?: string;
  title: string;
  /** All of it, for a reader who sees nothing else of the file. */
  text: string;
  /** `[P]`: it can run beside its neighbours. */
  isParallel: boolean;
  /** The section that it is in; a new one begins after all of the last. */
  section: string;
  /** Labels of the tasks that it names as needed. */
  dependsOn: string[];
  /** As the file names them: `FR-003`. */
  requirements: string[];
}

export function readTasks(text: string): Task[] {
  return readCheckboxes(text).flatMap((item) => tasksIn(item, []));
}

function tasksIn(item: CheckboxItem, outer: CheckboxItem[]): Task[] {
  if (item.children.length === 0) return [taskOf(item, outer)];
  // A part that is ticked is done, with all of its tasks.
  const tasks = item.children.flatMap((child) => tasksIn(child, [...outer, item]));
  return item.isDone ? tasks.map((task) => ({ ...task, isDone: true })) : tasks;
}

const LABEL = /^(\*\*|__)?(T-?\d{1,4}[a-z]?(?:\.\d+)?)(?:[.:)])?(\*\*|__)?[.:)]?[ \t]+/;
/** `[P]`, `[US1]`, `[FR-003, FR-004]` behind the label. */
const TAG = /^\[([A-Za-z][\w ,.:/-]{0,60})\]:?[ \t]*/;
const DEPENDS =
  /\(?\b(?:depends? on|requires|after|blocked by)[: ]{1,3}(T-?\d{1,4}[a-z]?(?:(?:[ ,&/]{1,4}|[ ,&/]{0,2}and[ ,&/]{0,2})T-?\d{1,4}[a-z]?){0,99})\)?/gi;

function taskOf(item: CheckboxItem, outer: CheckboxItem[]): Task {
  const { label, rest, tags } = labelled(item.text);
  const parts = outer.map(({ text }) => oneLine(text));
  const own = outer.length > 0 ? firstDetails(item, outer) : [];
  const around = [...item.sections, ...parts];
  return {
    line: item.line,
    isDone: item.isDone,
    ...(label === undefined ? {} : { label }),
    title: oneLine(rest.replace(/\*\*/g, "")).slice(0, 120),
    text: [rest, dedent(item.details), dedent(own), around.length > 0 ? `Part of: ${around.join(" / ")}` : ""]
      .filter(Boolean)
      .join("\n\n"),
    isParallel: tags.some((tag) => tag === "P"),
    section: item.sections.join(" / "),
    dependsOn: [...item.text.matchAll(DEPENDS)].flatMap(([, ids = ""]) => ids.match(/T-?\d{1,4}[a-z]?/g) ?? []),
    requirements: item.text.match(/\b(?:N?FR)-\d{1,4}[a-z]?\b/g) ?? [],
  };
}

/** What is said of a part of the work goes with its first task. */
function firstDetails(item: CheckboxItem, outer: CheckboxItem[]): string[] {
  const parent = outer.at(-1);
  return parent?.children[0] === item ? parent.details : [];
}

function labelled(text: string): { label?: string; rest: string; tags: string[] } {
  const [whole = "", open = "", label, close = ""] = LABEL.exec(text) ?? [];
  // `**1.1 Title** text`: the bold of the title stays.
  let rest = (open && !close ? open : "") + text.slice(whole.length);
  const tags: string[] = [];
  for (let tag = TAG.exec(rest); tag; tag = TAG.exec(rest)) {
    tags.push(tag[1] ?? "");
    rest = rest.slice(tag[0].length);
  }
  return { ...(label === undefined ? {} : { label }), rest: rest || text, tags };
}
