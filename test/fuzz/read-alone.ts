/** A thread that reads one text, and nothing before it: whether that text alone fills the memory. */
import { workerData } from "node:worker_threads";
import { READERS } from "./readers.ts";

const { reader, text } = workerData as { reader: string; text: string };
try {
  await READERS[reader]?.read(text);
} catch {
  // What it is refused with was seen before.
}
