/** New files that a runner could load in place of what the examiner wrote, or before it. Pure. */
import { foldPath } from "../../core/text/file-path.ts";
import { sourceLanguageOf } from "../../core/text/source-languages.ts";
import { isTestPath } from "../../core/verdict/test-paths.ts";

/** What is wrong with a new file at `path`. `locked`: what the examiner wrote. */
export function besideProblem(path: string, locked: readonly string[]): string | undefined {
  const folded = foldPath(path);
  const other = locked.find((each) => takesPlaceOf(folded, foldPath(each)) || liesWith(folded, foldPath(each)));
  return other === undefined ? undefined : besideWords(path, other);
}

/** `test/lib.js` for `test/lib/index.js`, `tests/helpers/__init__.py` for `tests/helpers.py`, `a.js` for `a.ts`. */
function takesPlaceOf(path: string, locked: string): boolean {
  if (!isLoaded(path)) return false;
  const [stem, other] = [withoutEnding(path), withoutEnding(locked)];
  return stem === other || locked.startsWith(`${stem}/`) || path.startsWith(`${other}/`);
}

/** A helper in the same folder: a check may name it, or another module of its name. pytest loads a conftest from above too. */
function liesWith(path: string, locked: string): boolean {
  if (!isTestPath(path)) return false;
  const [folder, name] = [folderOf(path), path.slice(folderOf(path).length)];
  if (name === CONFTEST) return locked.startsWith(folder);
  return folder === folderOf(locked) && !isTestPath(name);
}

const CONFTEST = "conftest.py";
const LOADED = /\.(?:json|node|wasm|pyc|pyd|so)$/;

const isLoaded = (path: string): boolean => LOADED.test(path) || sourceLanguageOf(path) !== undefined;
const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1);
const withoutEnding = (path: string): string => path.replace(/\.[^./]+$/, "");

const besideWords = (path: string, locked: string): string =>
  `${path} could be loaded in place of what the examiner wrote, or before it (${locked}): it was not written. Give it another name, in a folder of its own. Tests beside those of the examiner need the name of a test.`;
