/** Makes an object from its base and a delta: copies of the base, and new bytes between them. Pure. */
import { GitError } from "../../lib/core/git/servers.ts";

const LARGEST_COPY = 0x10000;

/** `spend`: gets the size of what is made, before it is made. */
export function applyDelta(base: Uint8Array, delta: Uint8Array, spend: (bytes: number) => void): Uint8Array {
  let at = 0;
  const next = (): number => {
    const byte = delta[at];
    if (byte === undefined) throw damaged();
    at += 1;
    return byte;
  };
  const size = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = next();
      value += (byte & 127) * 2 ** shift;
      if (byte & 128) continue;
      if (!Number.isSafeInteger(value)) throw damaged();
      return value;
    }
  };
  /** Of a number only the bytes that are not zero are there; `mask` says which. */
  const sparse = (mask: number, bytes: number): number => {
    let value = 0;
    for (let index = 0; index < bytes; index += 1) if (mask & (1 << index)) value += next() * 2 ** (8 * index);
    return value;
  };
  if (size() !== base.length) throw damaged();
  const length = size();
  spend(length);
  const made = new Uint8Array(length);
  let filled = 0;
  const add = (bytes: Uint8Array): void => {
    if (filled + bytes.length > length) throw damaged();
    made.set(bytes, filled);
    filled += bytes.length;
  };
  while (at < delta.length) {
    const command = next();
    if (command & 128) {
      const from = sparse(command & 15, 4);
      const count = sparse((command >> 4) & 7, 3) || LARGEST_COPY;
      if (from + count > base.length) throw damaged();
      add(base.subarray(from, from + count));
    } else {
      if (command === 0 || at + command > delta.length) throw damaged();
      add(delta.subarray(at, at + command));
      at += command;
    }
  }
  if (filled !== length) throw damaged();
  return made;
}

const damaged = (): GitError => new GitError("the pack that it sent is damaged: a delta does not fit", "temporary");
