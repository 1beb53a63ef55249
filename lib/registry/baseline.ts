/** The item `RUN#id / BASELINE`: how the starting tree was judged, and what of it is still known red. */
import * as z from "zod";
import { KnownRed } from "../core/verdict/known-red.ts";

export const StoredBaseline = z.object({
  /** Of the verdict in the file store. */
  key: z.string(),
  sha256: z.string(),
  known: KnownRed,
});
export type StoredBaseline = z.infer<typeof StoredBaseline>;
