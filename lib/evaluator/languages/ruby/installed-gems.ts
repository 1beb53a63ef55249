/** Which of the gems that a project asks for are here. Ruby is asked in the sandbox, and runs nothing of the project. */
import * as z from "zod";
import type { Tool, Workspace } from "../../language.ts";

export interface GemState {
  /** Declared, and not here in any version. */
  absent: string[];
  /** Declared in a version that is not here, each with the versions that are. */
  unfit: string[];
}

const ASK = `
require "json"
puts JSON.generate(JSON.parse($stdin.read).map { |name, wanted|
  here = Gem::Specification.find_all_by_name(name).map { |spec| spec.version }
  fits = begin
    requirement = Gem::Requirement.new(wanted)
    here.any? { |version| requirement.satisfied_by?(version) }
  rescue ArgumentError
    here.any?
  end
  [name, fits, here.map(&:to_s)]
})`;

const Answer = z.array(z.tuple([z.string(), z.boolean(), z.array(z.string())]));

export async function gemState(gems: Map<string, string[]>, ruby: Tool, workspace: Workspace): Promise<GemState> {
  if (gems.size === 0) return { absent: [], unfit: [] };
  const { stdout } = await workspace.run({ argv: [ruby.program, "-e", ASK], stdin: JSON.stringify([...gems]) });
  const lacking = answerIn(stdout).filter(([, fits]) => !fits);
  return {
    absent: lacking.filter(([, , here]) => here.length === 0).map(([name]) => name),
    unfit: lacking
      .filter(([, , here]) => here.length > 0)
      .map(([name, , here]) => `${name} ${(gems.get(name) ?? []).join(", ")} (there is ${here.join(", ")})`),
  };
}

function answerIn(text: string): z.infer<typeof Answer> {
  try {
    return Answer.parse(JSON.parse(text));
  } catch {
    return [];
  }
}
