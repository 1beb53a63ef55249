/**
 * Whose a home of runs is. A folder can bring one along, with runs that name a server and folders to write to: only a
 * home with the mark of this user, on this computer, is used without being asked for by name.
 */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { chmodSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { makeFolder, makeLastingFolder } from "./make-folder.ts";
import { readRegularSync } from "./regular-file.ts";
import { codeOf } from "./storage-errors.ts";
import { syncFolder } from "./sync-folder.ts";
import { type Environment, readPrivate, userFolder, writePrivate } from "./user-folder.ts";

export interface HomePlace {
  home: string;
  env: Environment;
}

/** `new`: there is none, or nothing in it. */
export function whoseHome(place: HomePlace): "own" | "new" | "foreign" {
  if (homeId(place) !== undefined) return "own";
  try {
    return readdirSync(place.home).length === 0 ? "new" : "foreign";
  } catch (error) {
    // What else is wrong with it is reported where it is opened.
    return codeOf(error) === "EACCES" ? "foreign" : "new";
  }
}

/** The name of a home that has the mark of this user. */
export function homeId({ home, env }: HomePlace): string | undefined {
  const key = readPrivate(keyPath(env));
  const mark = key === undefined ? undefined : readMark(home);
  if (key === undefined || !mark) return undefined;
  const [one, other] = [Buffer.from(mark.mac), Buffer.from(macOf(mark.id, key))];
  return one.length === other.length && timingSafeEqual(one, other) ? mark.id : undefined;
}

/** Makes the home where there is none, with the mark in it from the first moment on; without one if none can be made. */
export function makeOwnHome(place: HomePlace): void {
  try {
    if (whoseHome(place) === "new") makeMarked(place);
  } catch {
    // Whatever is wrong with the home is reported where it is opened.
  }
}

function makeMarked(place: HomePlace): void {
  const home = resolve(place.home);
  makeLastingFolder(dirname(home));
  const made = mkdtempSync(`${home}-`);
  try {
    claimHome({ ...place, home: made });
    renameSync(made, home);
    syncFolder(dirname(home));
  } catch {
    rmSync(made, { recursive: true, force: true });
    // It cannot be replaced, as the place of a mounted disk; or another process was first, whose mark is as good.
    if (whoseHome(place) === "new") claimHome(place);
  }
}

/** Puts the user's mark into a home, and keeps other users of the computer out. */
export function claimHome({ home, env }: HomePlace): void {
  const id = randomBytes(16).toString("base64url");
  makeFolder(home);
  const mark = { id, mac: macOf(id, keyOf(env)) };
  writeFileSync(join(home, MARK), `${JSON.stringify(mark)}\n`, { mode: 0o600, flush: true });
  // A home in a working tree is no part of the project.
  writeFileSync(join(home, ".gitignore"), "*\n", { mode: 0o600 });
  chmodSync(home, 0o700);
  syncFolder(home);
}

const MARK = "owner.json";
const MARK_CHARS = 1_000;

function readMark(home: string): { id: string; mac: string } | undefined {
  try {
    const text = readRegularSync(join(home, MARK)).toString("utf8");
    const { id, mac } = JSON.parse(text.slice(0, MARK_CHARS)) as Record<string, unknown>;
    return typeof id === "string" && typeof mac === "string" ? { id, mac } : undefined;
  } catch {
    return undefined;
  }
}

const macOf = (id: string, key: string): string => createHmac("sha256", key).update(`home ${id}`).digest("base64url");

const keyPath = (env: Environment): string => join(userFolder(env), "key");

/** The first use makes it. */
function keyOf(env: Environment): string {
  const known = readPrivate(keyPath(env));
  if (known !== undefined) return known;
  writePrivate(keyPath(env), randomBytes(32).toString("base64url"));
  return readPrivate(keyPath(env)) ?? "";
}
