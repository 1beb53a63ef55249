/** Reads JSON as models write it: with bare newlines inside strings, or once more wrapped in a string. Pure. */

export type ReadJson = { value: unknown } | { problem: string };

export function readJson(text: string): ReadJson {
  if (text.trim() === "") return { value: {} };
  const strict = parsed(text);
  if ("value" in strict) return typeof strict.value === "string" ? unwrapped(strict.value) : strict;

  const { repaired, endsOpen } = withEscapedControls(text);
  const again = parsed(repaired);
  if ("value" in again) return again;
  if (endsOpen) return { problem: `end in the middle, after ${text.length} characters` };
  return { problem: `are not valid JSON: ${strict.problem}` };
}

function parsed(text: string): ReadJson {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

/** A string that holds an object or a list was quoted once too often; any other stays what it is. */
function unwrapped(text: string): ReadJson {
  const inner = /^\s*[[{]/.test(text) ? parsed(text) : undefined;
  return inner && "value" in inner ? inner : { value: text };
}

/** Control characters inside strings, escaped; and whether the text stops before its last bracket is closed. */
function withEscapedControls(text: string): { repaired: string; endsOpen: boolean } {
  const parts: string[] = [];
  let [inString, depth, copied] = [false, 0, 0];
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? "";
    if (character === '"') inString = !inString;
    else if (inString && character === "\\") at++;
    else if (inString && character < " ") {
      parts.push(text.slice(copied, at), JSON.stringify(character).slice(1, -1));
      copied = at + 1;
    } else if (!inString && (character === "{" || character === "[")) depth++;
    else if (!inString && (character === "}" || character === "]")) depth--;
  }
  return { repaired: parts.join("") + text.slice(copied), endsOpen: inString || depth > 0 };
}
