/** A program as people write and read it: a Markdown list with one item per instruction. Pure. */
import type { Draft, DraftInstruction, Requirement } from "./program.ts";
import { type Block, REQUIREMENT, readBlocks } from "./program-blocks.ts";
import {
  bold,
  inForm,
  isRequirementId,
  oneLine,
  programProblem,
  readItem,
  splitIds,
  wordsMark,
} from "./program-item.ts";

export { draftFromData } from "./program-data.ts";

export function parseProgramMarkdown(text: string): Draft | { problem: string } {
  const blocks = readBlocks(text);
  if ("problem" in blocks) return blocks;
  const items = blocks.filter(({ section }) => section === "program");
  if (items.length === 0)
    return { problem: "line 1: there is no list; a program is a list with one item per instruction." };
  const requirements: Requirement[] = [];
  for (const block of blocks.filter(({ section }) => section === "requirements")) {
    const requirement = readRequirement(block);
    if (!requirement) return { problem: `line ${block.line}: a requirement reads \`R1: what is asked\`.` };
    requirements.push(requirement);
  }
  const draft: Draft = { instructions: items.map((item) => readItem(item.text)), requirements };
  const problem = programProblem(draft, (index) => `line ${items[index]?.line}`);
  return problem ? { problem } : draft;
}

/** What `parseProgramMarkdown` reads back unchanged. */
export function renderProgramMarkdown(draft: Draft): string {
  const requirements = draft.requirements.map(({ id, text }) => `- ${id}: ${oneLine(text) || id}\n`);
  const head = requirements.length > 0 ? `# Requirements\n\n${requirements.join("")}\n` : "";
  return `${head}# Program\n\n${draft.instructions.map(rendered).join("\n")}`;
}

function rendered(instruction: DraftInstruction, index: number): string {
  const { title, text, requirements, words } = inForm(instruction);
  const mark = `${index + 1}. `;
  const ids = [...requirements.filter(isRequirementId), ...(words ? [wordsMark(words)] : [])].join(", ");
  // A text that ends like a list of requirements says `()` above, so that it keeps its end.
  const beside = ids || splitIds(text).ids ? ` (${ids})` : "";
  const lines = text.split("\n").map((line) => (line === "" ? "" : " ".repeat(mark.length) + line));
  return `${mark}${bold(title)}${beside}\n\n${lines.join("\n")}\n`;
}

function readRequirement({ text }: Block): Requirement | undefined {
  const [, labelled, numbered, asked] = REQUIREMENT.exec(text) ?? [];
  return asked ? { id: `R${labelled ?? numbered}`, text: oneLine(asked) } : undefined;
}
