/** The fonts of books, of which `fonts/README.md` says where they come from. */
import { readFile } from "node:fs/promises";
import { projectFile } from "./project-files.ts";

export const readProjectFont = (file: string): Promise<Uint8Array> => readFile(projectFile(`fonts/${file}`));
