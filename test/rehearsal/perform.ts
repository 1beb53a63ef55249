/** Performs an act. It fails with whatever was denied on the way that the act did not take away itself. */
import type { Act } from "./acts/act.ts";
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
  if (first)
    throw new Error(`"${act.name}" failed: ${first.principal} was denied ${first.action}. ${first.message}`, {
      cause: wrong,
    });
  if (wrong) throw new Error(`"${act.name}" failed: ${wrong.message}`, { cause: wrong });
  if (stage.proxy.failures.length > 0) throw new Error(`The rehearsal itself failed: ${stage.proxy.failures[0]}`);
}
