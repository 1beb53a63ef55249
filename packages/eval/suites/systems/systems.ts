/** Systems: the six system designs of the paper in our own words, each with a check for every feature. */
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import * as z from "zod";
import type { Json } from "../../../../lib/core/text/json.ts";
import { projectFile } from "../../../../lib/files/project-files.ts";
import type { EvalCase, Files, Suite } from "../../suite.ts";
import { HANGING_SERVER, SERVER_FORGERIES, SERVER_STUB } from "./forged-servers.ts";

const NAMES = [
  ...["url-shortener", "microblog", "chat"],
  ...["recipe-platform", "event-planner", "finance-tracker"],
] as const;
const folder = (file: string): string => projectFile(`packages/eval/data/systems/${file}`);

const METHODS = { get: 200, post: 201, put: 200, patch: 200, delete: 204 } as const;

/** One request, and what must be answered. `sign`: a new person signs up, whose token has that name. */
const Step = z.strictObject({
  sign: z.string().optional(),
  get: z.string().optional(),
  post: z.string().optional(),
  put: z.string().optional(),
  patch: z.string().optional(),
  delete: z.string().optional(),
  as: z.string().optional(),
  body: z.json().optional(),
  status: z.int().optional(),
  has: z.json().optional(),
  header: z.record(z.string(), z.string()).optional(),
  save: z.record(z.string(), z.string()).optional(),
});
type Step = z.infer<typeof Step>;

const System = z.strictObject({
  title: z.string(),
  about: z.string(),
  sign: z.string(),
  /** Values that several steps have: `$name` stands for one. */
  shared: z.record(z.string(), z.json()).default({}),
  checks: z.array(z.strictObject({ feature: z.string(), steps: z.array(Step) })),
});
type System = z.infer<typeof System>;

export const systems: Suite = {
  name: "systems",
  about: "six systems to design and write, with executed checks of their features",
  source: "of this project, after the tasks of the L2MAC paper",
  checker: { program: "node", script: "http.mjs" },
  domain: "codebase",
  isDistinct: true,
  load: async () => NAMES.map(caseOf),
};

function caseOf(name: (typeof NAMES)[number]): EvalCase {
  const system = System.parse(parse(readFileSync(folder(`${name}.yaml`), "utf8")));
  const kit = readFileSync(folder("kit.mjs"), "utf8");
  return {
    id: name,
    task: taskOf(system),
    spec: {
      checks: system.checks.map(({ feature, steps }) => ({ name: feature, steps: steps.map(wireStep(system)) })),
    },
    seconds: 60,
    oracle: { "server.mjs": readFileSync(folder(`${name}.mjs`), "utf8"), "kit.mjs": kit },
    stub: asServer(SERVER_STUB),
    forgeries: SERVER_FORGERIES.map(asServer),
    hanging: asServer(HANGING_SERVER),
  };
}

const asServer = (text: string): Files => ({ "server.mjs": text });

const taskOf = ({ title, about, checks }: System): string => `# ${title}

${about}

Write it for Node, without packages. \`node server.mjs\` starts an HTTP server at 127.0.0.1 on the port in the environment variable PORT. It keeps its data in memory; it writes no files and starts no other processes or threads. Requests and answers have JSON bodies; an error answers \`{error}\` and the named status. A token is sent in the header \`authorization: Bearer <token>\`; where one is needed and is missing or wrong, the answer is 401. Where nothing else is said, GET, PUT and PATCH answer 200.

Requirements:

${checks.map(({ feature }, at) => `${at + 1}. ${feature}`).join("\n")}
`;

/** As the checker takes it. */
const wireStep =
  ({ sign: path, shared }: System) =>
  (step: Step): Json => {
    const { sign, as, body, has, status, header, save } = step;
    if (sign !== undefined) {
      const person = { name: `${sign}<u>`, password: "secret<u>" };
      return { ask: `POST ${path}`, body: person, status: 201, save: { [sign]: "token" } };
    }
    const [method] = Object.keys(METHODS).filter((name) => name in step) as (keyof typeof METHODS)[];
    if (method === undefined) throw new Error(`A step of ${path} has no method.`);
    return {
      ask: `${method.toUpperCase()} ${step[method]}`,
      status: status ?? METHODS[method],
      ...(as === undefined ? {} : { as: `<${as}>` }),
      ...(body === undefined ? {} : { body: filledFrom(body, shared) }),
      ...(has === undefined ? {} : { has: filledFrom(has, shared) }),
      ...(header ? { header } : {}),
      ...(save ? { save } : {}),
    };
  };

const filledFrom = (value: Json, shared: System["shared"]): Json =>
  typeof value === "string" && value.startsWith("$") ? (shared[value.slice(1)] ?? value) : value;
