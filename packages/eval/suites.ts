/** The suites: one row each. */
import type { Suite } from "./suite.ts";
import { book } from "./suites/book/book.ts";
import { context } from "./suites/context/context.ts";
import { debugging } from "./suites/debugging/debugging.ts";
import { humaneval } from "./suites/humaneval/humaneval.ts";
import { polyglot } from "./suites/polyglot/polyglot.ts";
import { quixbugs } from "./suites/quixbugs/quixbugs.ts";
import { systems } from "./suites/systems/systems.ts";

export const suites: Suite[] = [humaneval, polyglot, debugging, quixbugs, systems, context, book];

export const suiteNamed = (name: string): Suite | undefined => suites.find((each) => each.name === name);
