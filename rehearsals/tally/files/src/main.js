/** Finds the command, runs it, and turns what the user can put right into one line and an exit code. */
import { commands } from "./commands.js";
import { Problem, usage } from "./problem.js";

export async function main([name = "help", ...args], world) {
  try {
    if (!Object.hasOwn(commands, name)) throw usage('there is no command "' + name + '"; tally help shows all');
    await commands[name](args, world);
    return 0;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    world.complain("tally: " + error.message);
    return error.exitCode;
  }
}
