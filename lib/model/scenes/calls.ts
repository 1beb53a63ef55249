/** Short names for the calls that scenes make, so that a beat reads as a sentence. */
import type { Beat, SceneCall } from "../scene.ts";

export const write = (files: Record<string, string>): SceneCall => ({
  tool: "write_files",
  arguments: { files: Object.entries(files).map(([path, content]) => ({ path, content })) },
});

export const edit = (path: string, ...edits: [find: string, replace: string][]): SceneCall => ({
  tool: "edit_file",
  arguments: { path, edits: edits.map(([find, replace]) => ({ find, replace })) },
});

export const read = (...paths: string[]): SceneCall => ({
  tool: "read_files",
  arguments: { files: paths.map((path) => ({ path })) },
});

export const list = (prefix?: string): SceneCall => ({
  tool: "list_files",
  arguments: prefix === undefined ? {} : { prefix },
});

export const search = (pattern: string, glob?: string): SceneCall => ({
  tool: "search_files",
  arguments: glob === undefined ? { pattern } : { pattern, glob },
});

export const remove = (...paths: string[]): SceneCall => ({ tool: "delete_files", arguments: { paths } });

export const checks = (): SceneCall => ({ tool: "run_checks", arguments: {} });

export const command = (...argv: string[]): SceneCall => ({ tool: "run_command", arguments: { argv } });

export const complete = (summary: string, next?: string): SceneCall => ({
  tool: "complete_instruction",
  arguments: next === undefined ? { summary } : { summary, next },
});

/** A file that is first written wrong, and the calls that put it right. */
export function flawed(path: string, content: string, slip: { right: string; wrong: string }) {
  const mend: Pick<Beat, "calls" | "instead"> = {
    calls: [edit(path, [slip.wrong, slip.right])],
    instead: [write({ [path]: content })],
  };
  return { content: content.replace(slip.right, () => slip.wrong), mend };
}
