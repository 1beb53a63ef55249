// A reporter for mocha: writes what its own reporter of JSON prints, to a file, in every version alike.
const { writeFileSync } = require("node:fs");

/** Tests may throw anything. */
const problemOf = (error) => ({
  message: String(error?.message ?? error),
  ...(error?.stack ? { stack: String(error.stack) } : {}),
});

const caseOf = (test, error) => ({
  fullTitle: test.fullTitle(),
  file: test.file,
  duration: test.duration,
  err: error === undefined ? {} : problemOf(error),
});

module.exports = function report(runner, { reporterOptions }) {
  const found = { passes: [], failures: [], pending: [] };
  runner.on("pass", (test) => found.passes.push(caseOf(test)));
  runner.on("fail", (test, error) => found.failures.push(caseOf(test, error ?? "it failed")));
  runner.on("pending", (test) => found.pending.push(caseOf(test)));
  runner.once("end", () => writeFileSync(reporterOptions.output, JSON.stringify(found)));
};
