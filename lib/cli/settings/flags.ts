/** The flags: what each takes and says. Parsing, help and configuration read this table. */

export interface Flag {
  name: string;
  /** What it takes, as help shows it; absent: nothing. */
  takes?: string;
  /** What its value looks like, where it may be left out: whatever else follows is not its value. */
  looks?: RegExp;
  says: string;
}

const flag = (name: string, takes: string, says: string): Flag => ({ name, takes, says });
const toggle = (name: string, says: string): Flag => ({ name, says });

export const JSON_OUTPUT = toggle("--json", "write machine-readable JSON to standard output");
export const HELP = toggle("--help", "say how the command is used");

export const YES = toggle("--yes", "delete without asking");

export const REMOTE: Flag = {
  name: "--remote",
  takes: "[URL]",
  looks: /^[a-z][\w+.-]*:\/\S*$/i,
  says: "compute and look in a deployed stack (or set L2MAC_API_URL)",
};

export const ceilingFlags: Flag[] = [
  flag("--budget", "USD", "the most that the run may cost (default 5)"),
  flag("--max-tokens", "N", "the most tokens, input and output together"),
  flag("--max-turns", "N", "the most model calls"),
  flag("--max-minutes", "N", "the longest time under computation"),
];

/** Of a home, not of a run: it stands in a configuration file. */
export const DAILY = flag("--daily-usd", "USD", "the most that all runs of a home may cost together in a day");

export const UNSEALED = toggle(
  "--unsealed",
  "run what is written even where nothing seals it off: then it may do what you may",
);

export const modelFlags: Flag[] = [
  flag("--model", "M[,M…]", "the model that is asked; the next, where it gives no answers"),
  flag("--base-url", "URL", "the OpenAI-compatible server that has it"),
  flag("--context-window", "N", "how many tokens the model's window holds"),
  flag("--price", "IN,OUT", "US dollars per million tokens, input and output"),
  toggle("--unpriced", "accept that the cost is unknown; no USD ceiling is kept"),
];

export const taskFlags: Flag[] = [
  flag("--spec", "FILE", "read the task from a file; - is standard input"),
  flag("--domain", "NAME", "codebase, book or custom (default codebase)"),
  flag("--steps", "N", "the most instructions that the program may have"),
  flag("--reflect", "N", "how often the model looks at its program again (default 1)"),
];

export const programFlags: Flag[] = [
  flag("--program", "FILE", "execute this program (.md, .yaml or .json) instead of planning one"),
  flag("--prompts", "DIR", "use the prompt pack in this folder"),
  flag("--tools", "A,B", "offer the model only these tools"),
  flag("--from", "DIR|ZIP", "start from the files of a folder or zip"),
  flag("--tests", "DIR|ZIP", "tests that the result must pass, and that nobody may change"),
];

export const runFlags: Flag[] = [
  ...taskFlags,
  ...programFlags,
  ...modelFlags,
  ...ceilingFlags,
  toggle("--no-tests", "do not run the tests of what is written"),
  toggle("--no-install", "do not install the packages that it asks for"),
  UNSEALED,
  flag("--on-trap", "stop|skip", "what becomes of an instruction that goes in circles (default stop)"),
  flag("--approve", "plan", "wait for somebody to approve the program before any of it is executed"),
  flag("--name", "N", "what the run is called (default: from the task)"),
  flag("--seed", "N", "passed to the model, for answers that repeat"),
  flag("--out", "DIR", "where the files go (default ./workspace/<name>)"),
  JSON_OUTPUT,
  toggle("--rehearse", "play a written scene: no key, no model, no cost"),
];
