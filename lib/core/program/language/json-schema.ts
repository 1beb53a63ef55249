/** The schema of program files for editors and other validators. Pure. */
import * as z from "zod";
import { ProgramFile } from "./schema.ts";

export const programJsonSchema = (): object => {
  const { $schema, ...schema } = z.toJSONSchema(ProgramFile, { io: "input", reused: "ref" });
  return { $schema, title: "A program of L2MAC", ...schema };
};
