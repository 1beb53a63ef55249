/** A reporter: says at the end what was skipped, and what it needs, by the names. */
import type { Reporter, TestModule } from "vitest/node";

export const saySkipped: Reporter = {
  onTestRunEnd(modules: readonly TestModule[]) {
    const skipped = modules.flatMap((each) => [...each.children.allTests("skipped")].map(({ fullName }) => fullName));
    for (const [need, { length }] of Map.groupBy(skipped, needOf)) console.log(`skipped ${length}: ${need}`);
  },
};

function needOf(name: string): string {
  if (name.includes("L2MAC_EMULATORS")) return EMULATORS;
  const need = /\((?:needs|skipped:) (.*?)\)(?= |$)/.exec(name)?.[1];
  return need === undefined ? name : `needs ${need}`;
}

const EMULATORS =
  "needs emulators of AWS: bash packages/aws-rehearsal/emulators/install.sh FOLDER, then L2MAC_EMULATORS=FOLDER npm run test:all";
