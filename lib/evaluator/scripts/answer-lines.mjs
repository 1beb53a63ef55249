// Answers every line of the input, a request as JSON, with one line, an answer as JSON, until the input ends,
// or until there must be no further answer.
import { stdin, stdout } from "node:process";

export async function answerLines(answer, isLast) {
  let text = "";
  for await (const chunk of stdin.setEncoding("utf8")) {
    text += chunk;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n")) {
      const request = JSON.parse(text.slice(0, end));
      text = text.slice(end + 1);
      stdout.write(`${inAscii(JSON.stringify(await answer(request)))}\n`);
      if (isLast()) return;
    }
  }
}

/** The reader of the output removes invisible characters, and a path may contain some. */
function inAscii(text) {
  return text.replace(/[^\0-\x7f]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
