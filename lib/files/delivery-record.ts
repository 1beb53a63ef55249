/** What was delivered into which folder: by path, the hashes of all that was ever delivered there. */
import * as z from "zod";
import { writeWhole } from "../host/atomic-file.ts";
import { readRegular } from "../host/regular-file.ts";

const DeliveryRecord = z.record(z.string(), z.array(z.string()));
export type DeliveryRecord = z.infer<typeof DeliveryRecord>;

const Deliveries = z.record(z.string(), DeliveryRecord);
export type Deliveries = z.infer<typeof Deliveries>;

/** Where it cannot be read, nothing counts as delivered, so that nothing is overwritten. */
export async function readDeliveries(path: string): Promise<Deliveries> {
  try {
    return Deliveries.parse(JSON.parse((await readRegular(path)).toString("utf8")));
  } catch {
    return {};
  }
}

export const writeDeliveries = (path: string, deliveries: Deliveries): Promise<void> =>
  writeWhole(path, JSON.stringify(deliveries));

/** The key of the folder itself, which is no file's path: its entry names the end of the run that was delivered completely. */
const FOLDER = ".";

export const begun = (record: DeliveryRecord): DeliveryRecord => ({ ...record, [FOLDER]: [] });

export const ended = (record: DeliveryRecord, end: string): DeliveryRecord => ({ ...record, [FOLDER]: [end] });

/** For a delivery that leaves no files by which it could be known: `place` is the repository of a branch. */
export async function noteDelivery(path: string, place: string, end: string): Promise<void> {
  const deliveries = await readDeliveries(path);
  await writeDeliveries(path, { ...deliveries, [place]: ended(deliveries[place] ?? {}, end) });
}

/** Where nothing is noted of it an earlier version delivered, which did not tell. */
export const isWhole = (record: DeliveryRecord | undefined, end: string): boolean =>
  record !== undefined && (record[FOLDER] ?? [end]).includes(end);
