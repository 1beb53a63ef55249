/** What a task says beside its requirements: a change of it concerns every instruction. Pure. */
import { type ListItem, readLists } from "../program/list-items.ts";
import { readMark } from "../program/list-mark.ts";
import type { Requirement } from "../program/program.ts";
import { requirementText } from "../program/requirements.ts";

export function taskFrame(task: string, requirements: Requirement[]): string {
  const texts = new Set(requirements.map(({ text }) => text));
  const items = readLists(task).flatMap(withChildren);
  const listed = new Set(
    items.filter((item) => texts.has(requirementText(item))).flatMap(({ lines }) => lines.map((line) => line.trim())),
  );
  return task
    .split(/\r\n|\r|\n/)
    .filter((line) => !listed.has((readMark(line)?.text ?? line).trim()))
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join("\n");
}

const withChildren = (item: ListItem): ListItem[] => [item, ...item.children.flatMap(withChildren)];
