/** Reads files that others may have made: a named pipe or a device in the place of one is refused, never waited for. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { open } from "node:fs/promises";

/** To open a named pipe for reading waits for a writer; so it does not. Windows has neither. */
const NO_WAIT = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

interface Kind {
  isFile(): boolean;
  isDirectory(): boolean;
}

export function readRegularSync(path: string): Buffer {
  const file = openSync(path, NO_WAIT);
  try {
    refuseOther(path, fstatSync(file));
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

export async function readRegular(path: string): Promise<Buffer> {
  const file = await open(path, NO_WAIT);
  try {
    refuseOther(path, await file.stat());
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** A folder fails by itself when it is read, with a code of its own. */
function refuseOther(path: string, kind: Kind): void {
  if (kind.isFile() || kind.isDirectory()) return;
  throw Object.assign(new Error(`${path} is no regular file`), { code: "EINVAL" });
}
