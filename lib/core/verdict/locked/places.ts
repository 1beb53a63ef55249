/** Whether a place that is named to a test runner holds a test. Pure. */

/** `tests`, `tests/`, `tests/**` and the file itself. What else a pattern finds is not certain. */
export function covers(place: string, test: string): boolean {
  const plain = place.replaceAll(/["']/g, "").replace(/^(?:<rootDir>\/|\.\/)/, "");
  if (plain === test || plain === ".") return true;
  const folder = plain.replace(/\/?(?:\*\*\/?)?(?:\*(?:\.(?:test|spec))?(?:\.[cm]?[jt]sx?)?)?$/, "");
  const deep = plain.includes("**") || !plain.includes("*");
  const below = folder === "" ? test : test.startsWith(`${folder}/`) ? test.slice(folder.length + 1) : undefined;
  const ending = /\*((?:\.\w+)+)$/.exec(plain)?.[1] ?? "";
  return below !== undefined && (deep || !below.includes("/")) && test.endsWith(ending);
}
