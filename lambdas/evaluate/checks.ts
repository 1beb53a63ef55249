/** The kinds of project that are known. Adding one is a file and a line. */
import type { Kind } from "./kind.ts";
import { javascript } from "./kinds/javascript.ts";
import { otherLanguages } from "./kinds/other-languages.ts";
import { python } from "./kinds/python.ts";

export const KINDS: Kind[] = [python, javascript, otherLanguages];
