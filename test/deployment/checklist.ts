/** The rows of docs/checklist.md that only an account can show, and all commands of the AWS CLI in the docs. */
import { readdirSync, readFileSync } from "node:fs";

const docs = new URL("../../docs/", import.meta.url);
const page = (name: string): string => readFileSync(new URL(name, docs), "utf8");

export interface ChecklistRow {
  number: number;
  what: string;
  commands: string[];
  prints: string;
  otherwise: string;
}

const COMMAND = /^(aws|npx|docker|curl) /;

const codeIn = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);

export const checklistRows = (): ChecklistRow[] =>
  [...page("checklist.md").matchAll(/^\| (\d+) \|(.*)\|$/gm)].map(([, number, cells = ""]) => {
    const [what = "", byHand = "", prints = "", otherwise = ""] = cells.split(" | ").map((cell) => cell.trim());
    const commands = codeIn(byHand).filter((code) => COMMAND.test(code));
    return { number: Number(number), what, commands, prints, otherwise };
  });

/** `aws SERVICE OPERATION …` in code and in shell blocks, lines joined. */
export function awsCommands(): { page: string; command: string }[] {
  const pages = readdirSync(docs).filter((name) => name.endsWith(".md") && name !== "CHANGELOG.md");
  return pages.flatMap((name) => {
    const text = page(name).replaceAll("\\\n", " ");
    const code = [...codeIn(text.replaceAll(/```[\s\S]*?```/g, "")), ...blocksIn(text)];
    return code.flatMap((each) =>
      [...each.matchAll(/(?<![\w./-])aws [a-z0-9-]+ [a-z][a-z-]+[^\n|;&]*/g)].map(([command]) => ({
        ...{ page: name, command: command.replace(/#.*$/, "").replace(/\)"$/, "").trim() },
      })),
    );
  });
}

const blocksIn = (text: string): string[] =>
  [...text.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = ""]) => block.split("\n"));
