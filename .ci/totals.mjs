// Prints "passed failed" from vitest's JSON report; a suite that could not be loaded counts as a failure.
import { readFileSync } from "node:fs";

const [file, skippedIs] = process.argv.slice(2);
const report = JSON.parse(readFileSync(file, "utf8"));
const tests = report.testResults.flatMap((suite) => suite.assertionResults);
const count = (...statuses) => tests.filter((test) => statuses.includes(test.status)).length;
const broken = report.testResults.filter(
  (suite) => suite.status === "failed" && suite.assertionResults.length === 0,
).length;
const skipped = tests.filter((test) => ["pending", "skipped", "todo", "disabled"].includes(test.status));
for (const test of skipped) console.error(`skipped: ${test.fullName}`);
const failed = count("failed") + broken + (skippedIs === "failure" ? skipped.length : 0);
console.log(`${count("passed")} ${failed}`);
