/** The reference pages of the docs, made of the tables of commands, options, tools, exit codes and events. Pure. */
import * as z from "zod";
import type { CommandSpec, Flag } from "../../lib/cli/command.ts";
import { commands } from "../../lib/cli/commands.ts";
import { argumentOf, withOptionFlags } from "../../lib/cli/settings/option-flags.ts";
import { OTHER_VARIABLES } from "../../lib/cli/settings/settings.ts";
import { RunEvent } from "../../lib/core/notification/run-event.ts";
import { programJsonSchema } from "../../lib/core/program/language/json-schema.ts";
import { EventBody } from "../../lib/core/run/event.ts";
import { EXIT_CODES } from "../../lib/core/run/exit-codes.ts";
import { bodyFieldOf } from "../../lib/core/run/option-forms.ts";
import { type Option, optionList } from "../../lib/core/run/option-list.ts";
import { OPTION_GROUPS } from "../../lib/core/run/option-row.ts";
import { shapeText } from "../../lib/tools/shape.ts";
import { allTools } from "../../lib/tools/toolbox.ts";

/** Markdown, and the schema of program files, by file name. */
export const referencePages = (): Record<string, string> => ({
  "program.schema.json": `${JSON.stringify(programJsonSchema(), null, 2)}\n`,
  "commands.md": page("Commands", commandsText()),
  "options.md": page("Options", optionsText()),
  "exit-codes.md": page("Exit codes", exitCodesText()),
  "events.md": page("Events", eventsText()),
  "tools.md": page("Tools", toolsText()),
  "run-event.schema.json": `${JSON.stringify(eventSchema(), undefined, 2)}\n`,
});

/** The draft that EventBridge's registry takes. Events may get more fields. */
const eventSchema = () => z.toJSONSchema(RunEvent, { target: "draft-4", io: "input" });

const GENERATED = "Generated from the tables in the code: `npm run reference` writes this page.";

const page = (title: string, text: string): string => `# ${title}\n\n${GENERATED}\n\n${text}\n`;

function commandsText(): string {
  const overview = commands.map(({ name, argument, description }) => [
    `[\`${`${name} ${argument}`.trim()}\`](#${name})`,
    description,
  ]);
  return [
    '`l2mac "<task>"` is short for `l2mac run "<task>"`. Every command takes `--help`.',
    table(["Command", "Description"], overview),
    ...commands.map(withOptionFlags).map(commandText),
  ].join("\n\n");
}

function commandText({ name, argument, description, flags, onlyHere }: CommandSpec): string {
  const rows = flags.map((flag) => [code(flagUsage(flag)), flag.description]);
  return [
    `## ${name}`,
    `\`${`l2mac ${name} ${argument}`.trim()}\`: ${description}.`,
    ...(onlyHere ? [`It takes no \`--remote\`: ${onlyHere}`] : []),
    ...(rows.length > 0 ? [table(["Flag", "Description"], rows)] : []),
  ].join("\n\n");
}

const flagUsage = ({ name, argument }: Flag): string => (argument ? `${name} ${argument}` : name);

function optionsText(): string {
  const groups = OPTION_GROUPS.map((group) => {
    const rows = optionList.filter((option) => option.group === group).map(optionRow);
    const header = ["Configuration", "Flag", "Environment", "API field", "Default", "Description"];
    return `## ${group.charAt(0).toUpperCase()}${group.slice(1)}\n\n${table(header, rows)}`;
  });
  return [
    "Flags win over the environment, the environment over the project's `l2mac.config.json`, and that over the user's configuration file (`l2mac init --user` writes it). The library takes the same names as the configuration.",
    projectText(),
    ...groups,
    `Other variables: ${OTHER_VARIABLES.map(code).join(", ")}. In configuration files only: \`webhook\` ([webhooks](../webhook.md)) and \`models\` ([models](../models.md)).`,
  ].join("\n\n");
}

function projectText(): string {
  const marked = (mark: Option["inProject"]): string =>
    optionList
      .filter(({ inProject }) => inProject === mark)
      .map(({ name }) => code(name))
      .join(", ");
  return [
    `A project's file may come from others. By itself it sets ${marked("anything")}; and, not above what you allow, ${marked("less")}.`,
    `${marked(undefined)}, \`webhook\` and \`models\` decide where your key and your files go, what runs and what it costs: set them in your own configuration, in the environment or by flags. A project's file that sets one ends a new run with exit code 3 and is named, until [\`l2mac trust\`](commands.md#trust) trusts it as it is: a changed file, or a changed prompt pack that it names, is not trusted. Commands that only read runs ignore such settings.`,
  ].join(" ");
}

function optionRow(option: Option): string[] {
  const { name, flag, variables, default: value, description, formerly, formerFlag } = option;
  const argument = argumentOf(option);
  const field = bodyFieldOf(name);
  const former = formerly
    ? ` (formerly ${[formerly, formerFlag]
        .filter((each) => each !== undefined)
        .map(code)
        .join(", ")})`
    : "";
  return [
    code(name),
    flag ? code(argument ? `${flag} ${argument}` : flag) : "",
    variables.map(code).join(", "),
    field ? code(field) : "",
    value === undefined ? "" : code(String(value)),
    `${description}${former}`,
  ];
}

const exitCodesText = (): string =>
  table(
    ["Code", "Meaning", "Reasons of a run"],
    EXIT_CODES.map(({ code: number, description, reasons = [] }) => [
      String(number),
      description,
      reasons.map(code).join(", "),
    ]),
  );

const eventsText = (): string =>
  [
    "What `l2mac log`, `watch --json` and `GET /runs/{id}/events` show. Every event also has `seq`, its number within the run, and `at`, its time.",
    table(
      ["Type", "Description", "Fields"],
      EventBody.options.map((body) => [code(body.shape.type.value), body.description ?? "", fieldsOf(body).join(", ")]),
    ),
  ].join("\n\n");

const toolsText = (): string =>
  [
    "What the model may call, in the order in which it is offered, as the model reads it. `--tools` and the `tools` of a [prompt pack](../prompts.md#the-declaration) choose from these names.",
    table(
      ["Tool", "Category", "Description", "Arguments"],
      allTools.map(({ spec, category }) => [
        code(spec.name),
        category,
        spec.description,
        code(shapeText(spec.parameters)),
      ]),
    ),
  ].join("\n\n");

const fieldsOf = (body: z.ZodObject): string[] =>
  Object.entries(body.shape)
    .filter(([name]) => name !== "type")
    .map(([name, type]) => code(type instanceof z.ZodOptional ? `${name}?` : name));

const code = (text: string): string => `\`${text}\``;

const table = (header: string[], rows: string[][]): string =>
  [header, header.map(() => "---"), ...rows].map((cells) => `| ${cells.map(escaped).join(" | ")} |`).join("\n");

const escaped = (cell: string): string => cell.replaceAll("|", "\\|");
