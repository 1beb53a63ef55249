/** How much a folder of the cache takes. */
import { folderSize } from "../evaluator/tree.ts";

export const bytesOf = async (folder: string): Promise<number> => (await folderSize(folder)).bytes;
