// totals.mjs REPORT                  prints "passed failed" of vitest's JSON report. A skipped test counts as failed, and
//                                    so does a file that could not be loaded.
// totals.mjs REPORT --first          the same for a run that a later one completes: skipped tests count there.
// totals.mjs REPORT --after REPORT…  the same for that later run: each test that the reports before it skipped has to
//                                    pass in it, and no other counts. Of the files that L2MAC_DUE lists, where it is
//                                    set.
// totals.mjs --rest REPORT…          prints the files that skipped tests.
// totals.mjs --names REPORT…         prints a pattern for vitest of exactly the tests that were skipped.
// totals.mjs REPORT --failures       prints the failed tests, each in a few lines.
import { readFileSync } from "node:fs";
import { relative } from "node:path";

const words = process.argv.slice(2);
const mode = words.find((word) => word.startsWith("--"));
const reports = words.filter((word) => word !== mode).map((file) => JSON.parse(readFileSync(file, "utf8")).testResults);
const SKIPPED = ["pending", "skipped", "todo", "disabled"];
const isSkipped = ({ status }) => SKIPPED.includes(status);
const isFailed = ({ status }) => status === "failed";

/** What a name says of a missing program is not said where the program is there, or is its version there. */
const NEED = / \((?:needs|skipped|L2MAC_EMULATORS)(?:[^()]|\([^()]*\))*\)| \d+\.\d+\.\d+(?=[ ,]|$)/g;
const path = (name) => relative(process.cwd(), name);
const testsOf = (suites) =>
  suites.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ ancestorTitles, title, ...test }) => {
      const titles = [...ancestorTitles, title].join(" > ");
      return { ...test, titles, key: JSON.stringify([path(name), titles.replaceAll(NEED, "")]) };
    }),
  );
const brokenOf = (suites) =>
  suites.filter(({ status, assertionResults }) => status === "failed" && assertionResults.length === 0);
const inShort = (text = "") => text.slice(0, 1_200).split("\n").slice(0, 12).join("\n");

const { L2MAC_DUE } = process.env;
const due = L2MAC_DUE === undefined ? undefined : readFileSync(L2MAC_DUE, "utf8").split("\n");
const isDue = ({ name }) => due === undefined || due.includes(path(name));

const all = reports.flat();
const [last, ...before] = reports;
const tests = testsOf(last);
const broken = brokenOf(last);

switch (mode) {
  case "--failures":
    for (const { name, message } of broken) console.log(`${path(name)}: ${inShort(message)}`);
    for (const { fullName, failureMessages } of tests.filter(isFailed))
      console.log(`${fullName}: ${inShort(failureMessages[0])}`);
    break;
  case "--rest":
    console.log(
      all
        .filter((suite) => testsOf([suite]).some(isSkipped))
        .map(({ name }) => path(name))
        .join("\n"),
    );
    break;
  case "--names":
    console.log(patternOf(testsOf(all).filter(isSkipped)));
    break;
  case "--after":
    say(left(testsOf(before.flat().filter(isDue)).filter(isSkipped)));
    break;
  case "--first":
    say({ passed: tests.filter(({ status }) => status === "passed"), skipped: [] });
    break;
  default:
    say({ passed: tests.filter(({ status }) => status === "passed"), skipped: tests.filter(isSkipped) });
}

function patternOf(skipped) {
  const names = skipped.map(({ titles }) =>
    titles
      .split(NEED)
      .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`))
      .join(`(?:${NEED.source})?`),
  );
  return `^(?:${[...new Set(names)].join("|")})$`;
}

/** Which of these passed in the last report, and which did not run there or were skipped again. */
function left(expected) {
  const found = new Map();
  for (const test of tests) found.set(test.key, [...(found.get(test.key) ?? []), test]);
  const isDone = ({ key }) => found.get(key)?.some((test) => !isSkipped(test)) && !found.get(key)?.some(isSkipped);
  const passed = expected.filter((test) => isDone(test) && !found.get(test.key).some(isFailed));
  return { passed, skipped: expected.filter((test) => !isDone(test)) };
}

function say({ passed, skipped }) {
  for (const { titles } of skipped) console.error(`skipped: ${titles}`);
  console.log(`${passed.length} ${tests.filter(isFailed).length + broken.length + skipped.length}`);
}
