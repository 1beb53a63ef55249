/** Plays all acts, and says what was seen: each hop of a whole run, each permission, what a turn asks for, what it costs. */
import { sha256 } from "../../lib/control/digest.ts";
import { dynoxide, moto } from "../emulators/emulators.ts";
import type { Act } from "./acts/act.ts";
import { ACTS, CONFIG, FIRST_ACTS } from "./acts/acts.ts";
import { TASK } from "./acts/whole-run.ts";
import type { Allowance } from "./allowances.ts";
import { exemptionOf } from "./exemptions.ts";
import { lineOf, shown } from "./hop-line.ts";
import { localZip } from "./local-zip.ts";
import { perform } from "./perform.ts";
import { type FirstUses, keyOf, noteUses, playWithout, type Removal } from "./permissions.ts";
import { openStage, type Stage } from "./stage.ts";

type Say = (line: string) => void;

/** Answers the exit code. */
export async function play(say: Say): Promise<number> {
  const missing = [dynoxide, moto].filter(({ isThere }) => !isThere);
  if (missing.length > 0) {
    say(`The emulators are missing: ${missing.map(({ title }) => title).join(", ")}.`);
    return 3;
  }
  say(
    `Rehearsal of the deployment: AWS is played by ${dynoxide.title} (DynamoDB), ${moto.title} (S3) and this program.`,
  );
  const zip = await wholeRun(say);
  await everything(say);
  const local = await localZip(TASK.task);
  say(`the rehearsed deployment's zip  sha256 ${sha256(zip)}`);
  say(`this computer's own zip         sha256 ${sha256(local)}`);
  return sha256(zip) === sha256(local) ? 0 : 1;
}

async function wholeRun(say: Say): Promise<Uint8Array> {
  const stage = await openStage({ hop: (hop) => say(lineOf(hop)) });
  try {
    await playAll(stage, FIRST_ACTS, say);
    if (!stage.delivered) throw new Error("Nothing was delivered.");
    return stage.delivered;
  } finally {
    await stage.stop();
  }
}

async function everything(say: Say): Promise<void> {
  const stage = await openStage({ config: CONFIG });
  try {
    const uses = await playAll(stage, ACTS, say);
    await permissions(stage, uses, say);
  } finally {
    await stage.stop();
  }
}

async function playAll(stage: Stage, acts: Act[], say: Say): Promise<FirstUses> {
  const uses: FirstUses = new Map();
  for (const act of acts) {
    await perform(stage, act);
    noteUses(stage, act, uses);
    say(`✔ ${act.name}`);
  }
  return uses;
}

/** Each is taken away in turn, and the act that needs it first is played again. Answers how many are not shown. */
async function permissions(stage: Stage, uses: FirstUses, say: Say): Promise<number> {
  let unshown = 0;
  for (const allowance of stage.allowances) {
    const name = `${shown(allowance.principal)} ${allowance.action}`;
    const exempt = exemptionOf(allowance);
    if (exempt) {
      say(`· ${name}: ${exempt.reason}`);
      continue;
    }
    const removal = await show(stage, allowance, uses);
    if (removal.failed === undefined) unshown += 1;
    say(removal.failed === undefined ? `✘ ${name}: ${removal.unshown}` : `✔ ${name}: without it ${removal.failed}`);
  }
  return unshown;
}

async function show(stage: Stage, allowance: Allowance, uses: FirstUses): Promise<Removal> {
  const used = uses.get(keyOf(allowance));
  return used ? playWithout(stage, allowance, used.act) : { allowance, unshown: "nothing uses it" };
}
