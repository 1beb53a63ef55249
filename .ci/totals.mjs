// totals.mjs REPORT          prints "passed failed" of vitest's JSON report: a skipped test is a failure, and so is a
//                            suite that could not be loaded.
// totals.mjs REPORT --first  the same of a run that another one completes: files that skipped tests are left to that
//                            one, but for what failed in them.
// totals.mjs REPORT --rest   prints the files that skipped tests.
// totals.mjs REPORT --told   prints what failed, each in a few lines.
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

if (mode === "--told") {
  for (const { name, message } of broken) console.log(`${relative(process.cwd(), name)}: ${inShort(message)}`);
  for (const { fullName, failureMessages } of withStatus(testResults, "failed"))
    console.log(`${fullName}: ${inShort(failureMessages[0])}`);
} else if (mode === "--rest") console.log(rest.map(({ name }) => relative(process.cwd(), name)).join("\n"));
else {
  for (const { fullName } of skipped) console.error(`skipped: ${fullName}`);
  const failed = withStatus(testResults, "failed").length + broken.length + skipped.length;
  console.log(`${withStatus(counted, "passed").length} ${failed}`);
}
