/** What a run took over of earlier calls, for its replay. */
import type { Run } from "../../core/run/run.ts";
import { readBlob } from "../files/verified-read.ts";
import { MEMO } from "../turn/body-kinds.ts";
import { readBody } from "../turn/journal.ts";
import type { World } from "../world.ts";

/** Its bytes are those of the run itself. */
export const memosOf =
  ({ registry, files }: World, { id }: Run): NonNullable<World["memoAt"]> =>
  async (number) => {
    const { memo } = (await registry.instruction(id, number)) ?? {};
    const steps = memo && (await readBody(files, { key: memo.body, hash: memo.sha256 }, MEMO));
    return steps && { steps, blob: (sha) => readBlob(files, id, sha) };
  };
