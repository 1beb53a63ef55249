// Starts Jest with its arguments, and without them in `process.argv`, which tests of argument parsers read.
const { realpathSync } = require("node:fs");
const { createRequire } = require("node:module");

const [node, , program, ...args] = process.argv;

/** The command line of the Jest that the program is of. */
function commandLine() {
  try {
    return createRequire(realpathSync(program)).resolve("jest-cli");
  } catch {
    return undefined;
  }
}

const path = commandLine();
process.argv = [node, program, ...(path === undefined ? args : [])];
if (path === undefined) require(program);
else {
  // As Jest's own program does.
  process.env.NODE_ENV ??= "test";
  require(path).run(args);
}
