/** Plays all acts and prints the results: each hop of a run, each permission, the requests of a turn, and its cost. */
import { readFileSync } from "node:fs";
import { sha256 } from "../../lib/control/files/digest.ts";
import { projectVersion } from "../../lib/files/project-files.ts";
import { type Shard, takeShard } from "../../test/shard.ts";
import { type Act, perform } from "./acts/act.ts";
import { ACTS, CONFIG } from "./acts/acts.ts";
import { BEDROCK_CONFIG, computedByBedrock, computedWithoutStreams, otherBedrockModel } from "./acts/bedrock.ts";
import { keyNotSet } from "./acts/model-key.ts";
import { updated } from "./acts/update.ts";
import { TASK, wholeRun } from "./acts/whole-run.ts";
import { storedVersion } from "./cloudformation/stored-assembly.ts";
import { type CostRow, costOf, costTable, untrueRows } from "./cost/cost.ts";
import { countsOf } from "./cost/count-run.ts";
import { lineOf, shown } from "./cost/hop-line.ts";
import { dynoxide, moto } from "./emulators/emulators.ts";
import { exemptionOf } from "./exemptions.ts";
import { rehearseImageBuild } from "./image-build/rehearse.ts";
import { localZip } from "./local-zip.ts";
import { type FirstUses, keyOf, noteUses, playWithout } from "./permissions.ts";
import { openStage, type Stage } from "./stage.ts";
import { differenceOf, measureTurnCalls, turnCallsTable } from "./turn-calls.ts";
import { judgedAlike } from "./world.ts";

type Say = (line: string) => void;

/** A part of the acts, and of the permissions that these acts need. Absent: all of them. */
export interface Played {
  acts?: Shard | undefined;
  shard?: Shard | undefined;
}

/** Returns the exit code. */
export async function play(say: Say, played: Played = {}): Promise<number> {
  const missing = [dynoxide, moto].filter(({ isThere }) => !isThere);
  if (missing.length > 0) {
    say(`The emulators are missing: ${missing.map(({ title }) => title).join(", ")}.`);
    say("Next, with Python 3 and pip (FOLDER is yours to choose; nothing else is changed):");
    say("  bash packages/aws-rehearsal/emulators/install.sh FOLDER && L2MAC_EMULATORS=FOLDER npm run rehearse:cloud");
    return 3;
  }
  say(
    `Rehearsal of the deployment: AWS is played by ${dynoxide.title} (DynamoDB), ${moto.title} (S3) and this program.`,
  );
  const { zip, cost } = await wholeDeployment(say);
  const { unshown, differing } = await configuredDeployment(say, played);
  await updatedDeployment(say, played);
  const unshownModels = await bedrockDeployment(say, played);
  say("\nA deployment without a local Docker:");
  await rehearseImageBuild(say);
  const measured = await measureTurnCalls(LATE_INSTRUCTION, MANY_FILES);
  const local = await localZip(TASK.task);

  say("\nWhat a turn asks for:");
  for (const line of turnCallsTable(measured)) say(line);
  say("\nWhat 100 such instructions cost, at list prices of us-east-1, with a model that answers at once:");
  for (const line of costTable(cost)) say(line);
  say(`\nthe rehearsed deployment's zip  sha256 ${sha256(zip)}`);
  say(`this computer's own zip         sha256 ${sha256(local)}`);
  const page = readFileSync(new URL("../../docs/cost.md", import.meta.url), "utf8");
  const wrong = [
    ...untrueRows(page, cost),
    ...differing,
    ...(unshown + unshownModels > 0 ? [`${unshown + unshownModels} permissions are not shown to be needed`] : []),
    ...(differenceOf(measured) > 1 ? ["the calls of a turn are not constant"] : []),
    ...(sha256(zip) === sha256(local) ? [] : ["the zips differ"]),
  ];
  if (wrong.length > 0) say(`Failed: ${wrong.join("; ")}.`);
  return wrong.length > 0 ? 1 : 0;
}

/** Of the same kind as the tenth, with which it is compared: every fiftieth stores the whole tree, too. */
const LATE_INSTRUCTION = 110;
const MANY_FILES = 5_000;

/** The stack without parameters; prints every hop. */
async function wholeDeployment(say: Say): Promise<{ zip: Uint8Array; cost: CostRow[] }> {
  const stage = await openStage({ hop: (hop) => say(lineOf(hop)) });
  try {
    await playAll(stage, [wholeRun], say);
    if (!stage.delivered) throw new Error("Nothing was delivered.");
    const { zip, instructions } = stage.delivered;
    const cost = costOf(countsOf(stage, instructions));
    await playAll(stage, [keyNotSet], say);
    return { zip, cost };
  } finally {
    await stage.stop();
  }
}

interface Configured {
  /** How many permissions no act needs. */
  unshown: number;
  /** Real projects that get another verdict there than on this computer. */
  differing: string[];
}

/** With a model and short executions. */
async function configuredDeployment(say: Say, played: Played): Promise<Configured> {
  const stage = await openStage({ config: CONFIG, notifies: true, serves: true, deniedSeconds: 30 });
  try {
    const differing = await judgedAlike(stage, say);
    const uses = await playAll(stage, takeShard(ACTS, played.acts), say);
    return { unshown: await permissions(stage, { uses, played }, say), differing };
  } finally {
    await stage.stop();
  }
}

/** The stack of the version before, updated to this one. */
async function updatedDeployment(say: Say, { acts }: Played): Promise<void> {
  if (acts && acts.index % 2 === 0) return;
  say(`\nAn update from ${storedVersion()} to ${projectVersion()}:`);
  const stage = await openStage({ config: CONFIG, released: true });
  try {
    await playAll(stage, [updated], say);
  } finally {
    await stage.stop();
  }
}

/** Models of Amazon Bedrock through the functions' role. Returns how many permissions to call them no act needs. */
async function bedrockDeployment(say: Say, played: Played): Promise<number> {
  if (played.acts && played.acts.index % 2 === 1) return 0;
  say("\nModels of Amazon Bedrock, without a key:");
  const stage = await openStage({ config: BEDROCK_CONFIG });
  try {
    const uses = await playAll(stage, [computedByBedrock, computedWithoutStreams, otherBedrockModel], say);
    const own = stage.allowances.filter(({ action }) => action.startsWith("bedrock:"));
    return await permissions({ ...stage, allowances: own }, { uses, played }, say);
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

/** Removes each in turn and plays the act that needs it first again. Returns how many are not needed. */
async function permissions(
  stage: Stage,
  { uses, played: { acts, shard } }: { uses: FirstUses; played: Played },
  say: Say,
): Promise<number> {
  let unshown = 0;
  const due = new Set(takeShard(stage.allowances, shard));
  for (const allowance of stage.allowances) {
    const name = `${shown(allowance.principal)} ${allowance.action}`;
    const isDue = due.has(allowance);
    const exempt = exemptionOf(allowance);
    if (exempt) {
      if (isDue) say(`· ${name}: ${exempt.reason}`);
      continue;
    }
    const used = uses.get(keyOf(allowance));
    // Where every act was played, no other may need it.
    if (!used && !acts) {
      unshown += 1;
      say(`✘ ${name}: nothing uses it`);
    }
    if (!used || !isDue) continue;
    const removal = await playWithout(stage, allowance, used.act);
    if (removal.failed === undefined) unshown += 1;
    say(
      removal.failed === undefined
        ? `✘ ${name}: ${removal.unshown}`
        : `✔ ${name}: without it ${removal.failed.split(". User:")[0]}`,
    );
  }
  return unshown;
}
