/** What a pack of changes says of itself: the pack that it changes, and what it takes away. Pure. */
import * as z from "zod";
import { Unreadable } from "../errors.ts";

const ChangesManifest = z.object({
  format: z.literal(1),
  /** The pack before this one, by its number and the hash of its stored bytes. */
  base: z.object({ number: z.int(), sha256: z.string() }),
  removed: z.array(z.string()),
  /** Of the whole pack of this step, where there was one: rebuilding it gives the same bytes. */
  whole: z.object({ bytes: z.int(), sha256: z.string() }).optional(),
});
export type ChangesManifest = z.infer<typeof ChangesManifest>;

export const manifestText = (manifest: Omit<ChangesManifest, "format">): string =>
  `${JSON.stringify({ format: 1, ...manifest })}\n`;

export function readManifest(text: string): ChangesManifest {
  const said: unknown = JSON.parse(text);
  const { format } = z.object({ format: z.number() }).parse(said);
  if (format !== 1) throw new Unreadable(`it is of format ${format}, and this version reads 1`, {});
  return ChangesManifest.parse(said);
}
