/** Reads the JSON that RSpec's own formatter writes. Pure. It is untrusted: the specs may have written it. */
import * as z from "zod";
import type { Report } from "../../report/read-report.ts";

type Case = Report["cases"][number];

const Examples = z.object({
  messages: z.array(z.string()).optional(),
  examples: z.array(
    z.object({
      full_description: z.string(),
      status: z.string(),
      file_path: z.string(),
      run_time: z.number().nonnegative().nullish(),
      exception: z.object({ class: z.string(), message: z.string() }).nullish(),
    }),
  ),
  summary: z.object({ errors_outside_of_examples_count: z.number() }),
});

const STATUS = new Map<string, Case["status"]>([
  ["passed", "passed"],
  ["pending", "skipped"],
]);

/** Undefined: it is no such report, or not a whole one. */
export function readExamples(text: string): Case[] | undefined {
  const report = parsed(text);
  if (!report) return undefined;
  const cases = report.examples.map(({ full_description, status, file_path, run_time, exception }): Case => {
    const found = STATUS.get(status) ?? "failed";
    return {
      name: `${file_path.replace(/^\.\//, "")} > ${full_description}`,
      status: found,
      ...(run_time == null ? {} : { seconds: run_time }),
      ...(found === "failed" && exception ? { message: `${exception.class}: ${exception.message.trim()}` } : {}),
    };
  });
  if (report.summary.errors_outside_of_examples_count === 0) return cases;
  const said = (report.messages ?? []).map((each) => each.trim()).filter((each) => each !== "");
  return [...cases, ...(said.length > 0 ? said : ["an error outside of the examples"]).map(outside)];
}

function outside(message: string): Case {
  const file = /while loading (?:\.\/)?(\S+?)\.?(?:\s|$)/.exec(message)?.[1];
  return { name: file ? `${file} (loading)` : "rspec", status: "error", message };
}

function parsed(text: string): z.infer<typeof Examples> | undefined {
  try {
    return Examples.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
