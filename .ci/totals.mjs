// totals.mjs REPORT             prints "passed failed" of vitest's JSON report. A skipped test counts as failed, and so
//                               does a file that could not be loaded.
// totals.mjs REPORT --first     the same for a run that a later one completes: passed tests of files that skipped
//                               something count in the later run.
// totals.mjs REPORT --rest      prints the files that skipped tests.
// totals.mjs REPORT --failures  prints the failed tests, each in a few lines.
import { readFileSync } from "node:fs";
import { relative } from "node:path";

const [file, mode] = process.argv.slice(2);
const { testResults } = JSON.parse(readFileSync(file, "utf8"));
const SKIPPED = ["pending", "skipped", "todo", "disabled"];
const withStatus = (suites, ...statuses) =>
  suites.flatMap(({ assertionResults }) => assertionResults.filter(({ status }) => statuses.includes(status)));
const rest = testResults.filter((suite) => withStatus([suite], ...SKIPPED).length > 0);
const counted = mode === "--first" ? testResults.filter((suite) => !rest.includes(suite)) : testResults;
const broken = testResults.filter((suite) => suite.status === "failed" && suite.assertionResults.length === 0);
const skipped = mode === "--first" ? [] : withStatus(testResults, ...SKIPPED);

const inShort = (text = "") => text.slice(0, 1_200).split("\n").slice(0, 12).join("\n");

if (mode === "--failures") {
  for (const { name, message } of broken) console.log(`${relative(process.cwd(), name)}: ${inShort(message)}`);
  for (const { fullName, failureMessages } of withStatus(testResults, "failed"))
    console.log(`${fullName}: ${inShort(failureMessages[0])}`);
} else if (mode === "--rest") console.log(rest.map(({ name }) => relative(process.cwd(), name)).join("\n"));
else {
  for (const { fullName } of skipped) console.error(`skipped: ${fullName}`);
  const failed = withStatus(testResults, "failed").length + broken.length + skipped.length;
  console.log(`${withStatus(counted, "passed").length} ${failed}`);
}
