/** The model of such programs: does what the lines of an instruction say, from the request alone. */
import type { ModelRequest } from "../../../lib/core/ports.ts";
import { type Call, placeOf, type Said } from "../../doubles/scripted-model.ts";
import { marksIn, type Operation, operationsIn, partOf, written } from "./lane-program.ts";

export function nextOfStep(request: ModelRequest): Said {
  const { instruction } = placeOf(request);
  const operations = operationsIn(
    request.messages.find(({ content }) => content.includes("Instruction "))?.content ?? "",
  );
  const looks = operations.flatMap((each): Call[] => {
    const look = lookOf(each);
    return look && answerTo(request, look[0]) === undefined ? [look] : [];
  });
  if (looks.length > 0) return { calls: looks };
  if (!answerTo(request, "write_files")?.includes(partOf(instruction))) {
    const files = operations.map((each) => ({
      path: each.path,
      content: written(each, instruction, foundIn(each, answerTo(request, lookOf(each)?.[0] ?? ""))),
    }));
    return { calls: [["write_files", { files }]] };
  }
  return { calls: [["complete_instruction", { summary: `part ${instruction} is there` }]] };
}

function lookOf(operation: Operation): Call | undefined {
  if (operation.does === "copy") return ["read_files", { files: [operation.from] }];
  if (operation.does === "append") return ["read_files", { files: [operation.path] }];
  if (operation.does === "list") return ["list_files", { prefix: operation.prefix }];
  return operation.does === "search" ? ["search_files", { pattern: operation.mark }] : undefined;
}

/** The last one. */
const answerTo = ({ messages }: ModelRequest, tool: string): string | undefined =>
  messages.findLast((message) => message.role === "tool" && message.name === tool)?.content;

function foundIn({ does }: Operation, text = ""): string[] {
  if (does === "copy" || does === "append") return marksIn(text);
  if (does === "list") return [...text.matchAll(/^(\S+) \(\d+ byte/gm)].map(([, path = ""]) => path);
  return does === "search" ? [...new Set([...text.matchAll(/^(\S+):\d+: /gm)].map(([, path = ""]) => path))] : [];
}
