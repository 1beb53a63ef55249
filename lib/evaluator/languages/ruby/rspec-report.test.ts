import { expect, it } from "vitest";
import { readExamples } from "./rspec-report.ts";

it("an example whose status is no word of RSpec has failed, also where it is a name that every object has", () => {
  const example = (status: string) => ({ full_description: status, status, file_path: "./spec/a_spec.rb" });
  const words = ["passed", "pending", "failed", "constructor", "toString"];
  const text = JSON.stringify({ examples: words.map(example), summary: { errors_outside_of_examples_count: 0 } });
  expect(readExamples(text)?.map(({ status }) => status)).toEqual(["passed", "skipped", "failed", "failed", "failed"]);
});
