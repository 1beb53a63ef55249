/**
 * Compares the answers that a run wrote to answers.json with the expected ones. Nothing of the tree is executed. The last
 * line of the output begins with a number that only the caller knows.
 */
import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";

const ANSWER_BYTES = 1_000_000;

function outcomeOf({ folder, spec: { answers } }) {
  const expected = Object.entries(answers);
  const found = answersIn(join(folder, "answers.json"));
  if (typeof found === "string") return [0, expected.length, [found]];
  const wrong = expected.filter(([name, value]) => !Object.hasOwn(found, name) || found[name] !== value);
  return [expected.length - wrong.length, expected.length, wrong.slice(0, 3).map(([name]) => `${name} is wrong`)];
}

/** A text: why there are none. */
function answersIn(path) {
  try {
    const about = lstatSync(path);
    if (!about.isFile() || about.size > ANSWER_BYTES) return "answers.json is no file, or too large";
    const found = JSON.parse(readFileSync(path, "utf8"));
    return found === null || typeof found !== "object" ? "answers.json is no object" : found;
  } catch (error) {
    return `answers.json: ${error.code ?? "no JSON"}`;
  }
}

const asked = JSON.parse(await text(process.stdin));
console.log(`\n${asked.nonce} ${JSON.stringify(asked.entries.map(outcomeOf))}`);
