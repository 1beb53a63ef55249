/** What a run decided about the steps of other runs and of lanes, for its replay: an earlier version may have decided otherwise. */
import type { Run } from "../../core/run/run.ts";
import { readBlob } from "../files/verified-read.ts";
import type { Recorded, RecordedTaking } from "../recorded.ts";
import type { World } from "../world.ts";

/** What the gate decided, the recorded verdicts say. */
export const takingsOf =
  ({ registry, files }: Pick<World, "registry" | "files">, { id, make }: Run): Recorded["takingAt"] =>
  async (number) => {
    const [instruction, turns] = await Promise.all([registry.instruction(id, number), registry.turns(id, number)]);
    const taken = turns.find(({ copied }) => copied !== undefined);
    const { ahead, tried } = instruction ?? {};
    if (taken) {
      const laid = new Map(taken.changes.map(({ path, sha256 }) => [path, sha256]));
      return { laid: async (path) => readLaid(laid.get(path)) };
    }
    if (tried) return undefined;
    if (ahead?.state === "dropped") return { why: ahead.why ?? "" };
    return make && turns.length > 0 ? { why: "the run executed it" } : undefined;

    async function readLaid(sha: string | null | undefined): Promise<Uint8Array | undefined> {
      return sha ? readBlob(files, id, sha) : undefined;
    }
  };

export const laidAt = async (then: RecordedTaking | undefined, path: string): Promise<Uint8Array | undefined> =>
  then && "laid" in then ? then.laid(path) : undefined;
