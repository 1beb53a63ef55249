/** Delivers a run to its branch: one commit per accepted step. The working tree is not touched. */
import { acceptedSteps, startingTreeOf } from "../../control/files/accepted-steps.ts";
import { UserError } from "../../core/errors.ts";
import { filesOf } from "../../core/run/file-count.ts";
import type { Run } from "../../core/run/run.ts";
import type { RunBranch } from "../../core/run/run-branch.ts";
import { shortId } from "../../core/text/format.ts";
import { noteDelivery } from "../../files/delivery-record.ts";
import { writeChain } from "../../files/git/commit-chain.ts";
import { findRepository } from "../../files/git/repository.ts";
import { inTheWayOf, publishBranch, summarizeDiff, tipOf, tipRef } from "../../files/git/run-branch.ts";
import type { DeliveredBranch, KeptWork } from "../display/ending.ts";
import type { Connection } from "./connection.ts";
import { branchPlace, endOf } from "./pending-delivery.ts";

export async function deliverBranch(
  connection: Pick<Connection, "output" | "program" | "record" | "elsewhere">,
  run: Run,
  branch: RunBranch,
): Promise<KeptWork> {
  const { repository, start, folder } = branch;
  const found = await findRepository(repository).catch(() => undefined);
  if (!found) throw gone(run, repository);
  const owned = await tipOf(repository, run.id);
  let steps = 0;
  async function* links() {
    for await (const link of acceptedSteps(connection, run)) {
      steps += 1;
      yield link;
    }
  }
  const before = await startingTreeOf(connection, run);
  const ref = tipRef(run.id);
  const { tip, kept } = await writeChain({ repository, ref, start, folder, before, links: links() });
  if (tip === undefined || steps === 0) return { files: 0, untouched: [] };
  const published = await publishBranch(repository, { branch: branch.name, tip, owned });
  if (!connection.elsewhere) await noteDelivery(connection.record(run), branchPlace(branch), endOf(run));
  const delivered: DeliveredBranch = {
    repository,
    name: published.branch,
    steps,
    from: found.branch ?? start,
    ...(published.instead === undefined ? {} : { instead: published.instead }),
    summary: await summarizeDiff(repository, start, tip),
    inTheWay: await inTheWayOf(repository, tip),
  };
  return { files: filesOf(run), untouched: kept, branch: delivered };
}

const gone = (run: Run, repository: string): UserError =>
  new UserError(`${repository} is no Git working tree any more: nothing was delivered, and the run is kept.`, {
    exitCode: 3,
    remedy: { command: "get", args: [shortId(run.id), "--out", `${run.name}-files`] },
  });
