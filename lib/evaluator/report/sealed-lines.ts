/** The lines of a report, each sealed with a key that only the runner knows. Pure. */
import { createHmac, randomBytes } from "node:crypto";

/** Of one evaluation. A runner reads it from its standard input before anything of the project is loaded. */
export const newKey = (): string => randomBytes(32).toString("hex");

/** Up to the first line that the runner did not write, that is missing, or that follows the end. */
export function unsealedLines(text: string, key: string): { lines: string[]; tampered?: string } {
  const secret = Buffer.from(key, "hex");
  const lines: string[] = [];
  // Text after the last line feed was cut off when the runner ended.
  for (const sealed of text.split("\n").slice(0, -1)) {
    const [, seal, signed, number, line = ""] = SEALED.exec(sealed) ?? [];
    const isOwn = signed !== undefined && createHmac("sha256", secret).update(signed).digest("hex") === seal;
    if (!isOwn) return { lines, tampered: `line ${lines.length + 1} of the report is not the runner's own` };
    if (Number(number) !== lines.length)
      return { lines, tampered: `line ${lines.length + 1} of the report is missing` };
    lines.push(line);
  }
  return { lines };
}

const SEALED = /^([0-9a-f]{64}) ((\d{1,9}) (.*))$/;
