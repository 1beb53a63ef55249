/** The requirements that lie beside a task list: Kiro's `requirements.md`, spec-kit's `spec.md`. Pure. */
import { oneLine } from "../../program-item.ts";

/** By the names that task lists use: `1.2`, `FR-003`. */
export function requirementTexts(text: string): Map<string, string> {
  const texts = new Map<string, string>();
  let number = "";
  for (const line of text.split(/\r\n|\r|\n/)) {
    const heading = /^#{2,4}[ \t][^\d#]{0,60}(\d{1,9})\b(.*)$/.exec(line);
    const criterion = /^[ \t]{0,3}(\d+)(?:\.(\d+))?[.)]?[ \t]+(\S.*)$/.exec(line);
    const named = /^[ \t]*[-*+][ \t]+\*{0,2}((?:N?FR)-\d{1,4}[a-z]?)\*{0,2}[:.)]?\*{0,2}[ \t]*(\S.*)$/.exec(line);
    if (named) texts.set(named[1] ?? "", oneLine(named[2] ?? ""));
    else if (heading) {
      number = heading[1] ?? "";
      const title = oneLine((heading[2] ?? "").replace(/^[ \t]*[:：.–—-]?/, ""));
      if (title !== "") texts.set(number, title);
    } else if (/^#{1,2}[ \t]/.test(line)) number = "";
    else if (number !== "" && criterion) {
      const [, first = "", second, asked = ""] = criterion;
      texts.set(second === undefined ? `${number}.${first}` : `${first}.${second}`, oneLine(asked));
    } else if (number !== "" && !texts.has(number) && line.trim() !== "") {
      texts.set(number, oneLine(line.replace(/[*_]/g, "")));
    }
  }
  return texts;
}

/** `1.2` is R1.2, `FR-003` is R3; `NFR-1` has no number of its own. */
export function requirementId(name: string): string | undefined {
  const number = /^(?:FR-)?(\d+(?:\.\d+)*)$/.exec(name)?.[1];
  return number && `R${number.split(".").map(Number).join(".")}`;
}
