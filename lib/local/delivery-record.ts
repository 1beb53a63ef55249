/** What was delivered into which folder: by path, the hashes of all that was ever delivered there. */
import { readFile } from "node:fs/promises";
import * as z from "zod";
import { writeWhole } from "./atomic-file.ts";

const DeliveryRecord = z.record(z.string(), z.array(z.string()));
export type DeliveryRecord = z.infer<typeof DeliveryRecord>;

const Deliveries = z.record(z.string(), DeliveryRecord);
export type Deliveries = z.infer<typeof Deliveries>;

/** Where it cannot be read, nothing counts as delivered, so that nothing is overwritten. */
export async function readDeliveries(path: string): Promise<Deliveries> {
  try {
    return Deliveries.parse(JSON.parse(await readFile(path, "utf8")));
  } catch {
    return {};
  }
}

export const writeDeliveries = (path: string, deliveries: Deliveries): Promise<void> =>
  writeWhole(path, JSON.stringify(deliveries));
