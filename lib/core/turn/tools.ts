/** What a tool does, by its name: displays, loops and consent go by the category. Pure. */
import { TOOLS } from "./tool-table.ts";

export type ToolCategory = "plan" | "read" | "write" | "delete" | "check" | "run" | "amend" | "end";

const categories: Record<string, ToolCategory> = TOOLS;

type ToolName = keyof typeof TOOLS;
export const TOOL_NAMES = Object.keys(TOOLS) as [ToolName, ...ToolName[]];
export const isToolName = (name: string): boolean => Object.hasOwn(TOOLS, name);

/** Undefined: there is no such tool, or not in this version. */
export const categoryOf = (name: string): ToolCategory | undefined => (isToolName(name) ? categories[name] : undefined);

/** Those that can be chosen for the execution of a program. `prove` is offered where evidence is asked for. */
export const EXECUTION_TOOL_NAMES = TOOL_NAMES.filter((name) => categories[name] !== "plan" && name !== "prove");
