/** Performs an act. It fails with whatever was denied on the way that the act did not take away itself. */
import type { Act } from "./acts/act.ts";
import type { Denied } from "./parts.ts";
import type { Stage } from "./stage.ts";

export async function perform(stage: Stage, act: Act): Promise<void> {
  const { denials } = stage.iam.ledger;
  const before = denials.length;
  const wrong = await act.play(stage).then(
    () => undefined,
    (error: Error) => error,
  );
  const denied = denials.slice(before).filter((each) => !stage.expects(each));
  const [first] = denied;
  if (first) throw new Error(deniedIn(act, first, wrong), { cause: wrong });
  if (wrong) throw new Error(`"${act.name}" failed: ${wrong.message}`, { cause: wrong });
  if (stage.proxy.failures.length > 0) throw new Error(`The rehearsal itself failed: ${stage.proxy.failures[0]}`);
}

/** What somebody else then went without is a failure too, though the act came to its end. */
const deniedIn = (act: Act, { principal, action, message }: Denied, wrong: Error | undefined): string =>
  `"${act.name}" ${wrong ? "failed" : "was spoiled"}: ${principal} was denied ${action}. ${message}`;
