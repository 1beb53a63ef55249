/** New runs of this computer, whose files go to a folder or a branch of it. */
import type { Run } from "../core/run/run.ts";
import type { Client } from "./client.ts";

/** A folder, or a branch of a repository. */
export type KeptPlace = Pick<Run["options"], "out" | "branch">;

/** `keep`: the next run that is submitted has its files there. */
export const createKeeping = (client: Client, keep: (place: KeptPlace) => void) => ({
  back(run: Run, way: Parameters<Client["back"]>[1], place: KeptPlace = {}) {
    keep(place);
    return client.back(run, way);
  },
  fork(run: Run, fork: Parameters<Client["fork"]>[1], place: KeptPlace = {}) {
    keep(place);
    return client.fork(run, fork);
  },
  make(run: Run, body: Parameters<Client["make"]>[1], place: KeptPlace = {}) {
    keep(place);
    return client.make(run, body);
  },
  submit(body: Parameters<Client["submit"]>[0], given?: Parameters<Client["submit"]>[1], place: KeptPlace = {}) {
    keep(place);
    return client.submit(body, given);
  },
});
