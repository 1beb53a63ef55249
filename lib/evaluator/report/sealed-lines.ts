/** The lines of a report, each sealed with a key that only the runner knows. Pure. */
import { createHmac, randomBytes } from "node:crypto";

/** Of one evaluation. A runner reads it from its standard input before anything of the project is loaded. */
export const newKey = (): string => randomBytes(32).toString("hex");

/** Takes the lines one after another, and says where one was not written by the runner, or is missing. */
export function createUnsealing(key: string): (sealed: string) => { line: string } | { tampered: string } {
  const secret = Buffer.from(key, "hex");
  let count = 0;
  return (sealed) => {
    const [, seal, signed, number, line = ""] = SEALED.exec(sealed) ?? [];
    const isOwn = signed !== undefined && createHmac("sha256", secret).update(signed).digest("hex") === seal;
    if (!isOwn) return { tampered: `line ${count + 1} of the report is not the runner's own` };
    if (Number(number) !== count) return { tampered: `line ${count + 1} of the report is missing` };
    count += 1;
    return { line };
  };
}

const SEALED = /^([0-9a-f]{64}) ((\d{1,9}) (.*))$/;
