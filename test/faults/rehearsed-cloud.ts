/** The same through the rehearsed deployment: real processes, the template's roles, emulators that others wrote. */
import { dynoxide, moto } from "../../packages/aws-rehearsal/emulators/emulators.ts";
import { cloudFaults } from "./cloud/cloud-faults.ts";
import { type Experiment, SKIPPED } from "./experiment.ts";

const MISSING = [
  "  The emulators are missing. Next, with Python 3 and pip (FOLDER is yours to choose; nothing else is changed):",
  "  bash packages/aws-rehearsal/emulators/install.sh FOLDER && L2MAC_EMULATORS=FOLDER npm run faults",
];

export const rehearsedCloud: Experiment = async ({ quick, say }) => {
  if (![dynoxide, moto].every(({ isThere }) => isThere)) {
    for (const line of MISSING) say(line);
    return { rows: [{ what: "faults in the cloud", figure: "emulators are missing", aim: SKIPPED }], broken: [] };
  }
  const { rows } = await cloudFaults({ quick, say: (line) => say(`  ${line}`) });
  return {
    rows: rows.map(({ fault, shown, problems }) => ({
      what: `in the cloud: ${fault}`,
      figure: shown,
      aim: "the same tree",
      reached: problems.length === 0,
    })),
    broken: rows.flatMap(({ fault, problems }) =>
      problems.map((what) => ({ invariant: "I12", what, where: `in the cloud: ${fault}` })),
    ),
  };
};
