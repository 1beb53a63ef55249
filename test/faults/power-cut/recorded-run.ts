/** The program that is traced: a run from its submission to its end, in a home that is made for it. */
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { makeOwnHome } from "../../../lib/host/home-owner.ts";
import { openMachine } from "../../../lib/local/machine.ts";
import { hastyClock } from "../../doubles/hasty-clock.ts";
import { alwaysGreen, aSubmission, compute } from "../../doubles/machines.ts";
import { HOME, MARKS, scriptedWriter, USER } from "./writer.ts";

const [root = ""] = process.argv.slice(2);
const home = join(root, HOME);
makeOwnHome({ home, env: { XDG_CONFIG_HOME: join(root, USER) } });
const inner = scriptedWriter();
const model = {
  ask: (request: Parameters<typeof inner.ask>[0]) => {
    appendFileSync(join(root, MARKS), "asked\n");
    return inner.ask(request);
  },
};
const machine = openMachine({ home, model: async () => model, evaluator: alwaysGreen, clock: hastyClock });
await compute(machine, await aSubmission({}));
machine.close();
