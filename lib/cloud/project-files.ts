/** Where the project's own files are. */
import { fileURLToPath } from "node:url";

const top = new URL("../../", import.meta.url);

/** By its path from the top folder. */
export const projectFile = (path: string): string => fileURLToPath(new URL(path, top));
