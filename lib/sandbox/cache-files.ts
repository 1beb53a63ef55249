/** The files of the cache, where one that is not there says nothing. */
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";

export function writeAt(path: string, text: string, at: number): void {
  writeFileSync(path, text);
  utimesSync(path, at / 1000, at / 1000);
}

export const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

export const changedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

export function jsonIn(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}
