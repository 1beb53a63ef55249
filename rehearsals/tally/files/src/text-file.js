/** Text files that need not be there yet. */
import { readFile } from "node:fs/promises";

/** The file's text; empty where there is no such file. */
export async function readText(file) {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return "";
    throw error;
  }
}
