/** Files that serve nothing but testing. Pure. */
import { isFoundByRunners, isRunnersOwn, isTestPath } from "../test-paths.ts";
import { CONFIG_FILE } from "./plain-config.ts";

/** Code beside tests, and what a runner loads by its name. Data that tests read stays. */
export function isAround(path: string, text: string): boolean {
  const name = nameOf(path);
  if (isRunnersOwn(path) || SETTINGS.test(name)) return true;
  if (name === "__init__.py" && text.trim() === "") return false;
  return (isTestPath(path) || isFoundByRunners(path)) && CODE.test(name) && !isConfig(path);
}

const CODE = /\.(?:py[cio]?|pth|[cm]?[jt]s|[jt]sx|so|node)$/;
/** They have no use but to say how something is run. */
const SETTINGS = /^(?:conftest\.pyc?|\.npmrc|\.mocharc(?:\..+)?|\.taprc|node\.config\.json|\.coveragerc)$/;

export const isConfig = (path: string): boolean => CONFIG_FILE.test(nameOf(path));

/** What is shown of it is the beginning. */
export const byWeight = (one: string, other: string): number =>
  weightOf(one) - weightOf(other) || (one < other ? -1 : 1);
const weightOf = (path: string): number => (SETTINGS.test(nameOf(path)) ? 0 : isTestPath(path) ? 2 : 1);

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
