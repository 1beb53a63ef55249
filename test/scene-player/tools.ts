/** A simple reading of the tools, over files in memory: enough to play a scene without the machine. */

import type { ToolCall } from "../../lib/core/ports.ts";
import { feedbackOf, syntaxFeedback } from "../../lib/core/verdict/feedback.ts";
import type { Check } from "./check.ts";

export interface Effect {
  text: string;
  accepted?: boolean;
}

interface Given {
  files: { path: string; content: string }[];
  path: string;
  paths: string[];
  edits: { find: string; replace: string }[];
  pattern: string;
  argv: string[];
}

/** The last program that was written. */
export interface Planned {
  instructions: { title: string; text: string; requirements: string[] }[];
  requirements?: { id: string; text: string }[];
}

export const ALL_TOOLS = [
  "list_files",
  "read_files",
  "search_files",
  "write_files",
  "edit_file",
  "delete_files",
  "run_checks",
  "run_command",
  "complete_instruction",
];

export function perform(call: ToolCall, files: Map<string, string>, check: Check): Effect {
  const given = JSON.parse(call.arguments) as Given;
  const tool = EFFECTS[call.name];
  return tool ? tool(given, files, check) : { text: `There is no tool ${call.name}.` };
}

type Tool = (given: Given, files: Map<string, string>, check: Check) => Effect;

const EFFECTS: Record<string, Tool> = {
  list_files: (_given, files) => ({ text: listed(files) }),
  read_files: (given, files) => ({
    text: given.files.map(({ path }) => `${path}:\n${files.get(path) ?? "no such file"}`).join("\n"),
  }),
  search_files: ({ pattern }, files) => ({
    text: [...files].flatMap(([path, text]) => matching(path, text, new RegExp(pattern))).join("\n"),
  }),
  write_files(given, files, check) {
    for (const { path, content } of given.files) files.set(path, content);
    const paths = given.files.map(({ path }) => path);
    return { text: `Wrote ${paths.join(", ")}.\n${syntaxFeedback(check(files, { paths, tests: false }))}` };
  },
  edit_file({ path, edits }, files, check) {
    let text = files.get(path) ?? "";
    for (const { find, replace } of edits) {
      const places = text.split(find).length - 1;
      if (places !== 1) return { text: `Nothing was changed: \`find\` matches ${places} times.` };
      text = text.replace(find, () => replace);
    }
    files.set(path, text);
    return { text: `Changed ${path}.\n${syntaxFeedback(check(files, { paths: [path], tests: false }))}` };
  },
  delete_files({ paths }, files) {
    for (const path of paths) files.delete(path);
    return { text: `Deleted ${paths.join(", ")}.` };
  },
  run_checks: (_given, files, check) => ({ text: feedbackOf(check(files, { paths: [], tests: true })) }),
  run_command: ({ argv }) => ({ text: `Command: exit code 0.\n${argv.join(" ")}` }),
  complete_instruction(_given, files, check) {
    const verdict = check(files, { paths: [], tests: true });
    const accepted = verdict.syntax.status === "passed" && verdict.tests.status === "passed";
    return {
      accepted,
      text: accepted ? "Accepted." : `The instruction is not accepted yet.\n\n${feedbackOf(verdict)}`,
    };
  },
};

export const listed = (files: ReadonlyMap<string, string>): string =>
  [...files].map(([path, text]) => `${path} (${text.split("\n").length - 1} lines, ${text.length} bytes)`).join("\n");

const matching = (path: string, text: string, pattern: RegExp): string[] =>
  text.split("\n").flatMap((line, at) => (pattern.test(line) ? [`${path}:${at + 1}: ${line}`] : []));
