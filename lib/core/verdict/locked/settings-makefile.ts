/** What a Makefile's test target does. Pure. */
import type { TestChange } from "../locked-tests.ts";
import type { TestFinding } from "./extended.ts";

const TARGETS = /^(?:test|tests|check)$/;
/** They change what every recipe does. */
const GENERAL =
  /^(?:SHELL|\.SHELLFLAGS|MAKEFLAGS|\.DEFAULT_GOAL|\.RECIPEPREFIX|\.IGNORE|\.ONESHELL|include|-include|export)\b/;

export function weakenedMakefile({ before, after }: TestChange): TestFinding[] {
  const old = testing(before ?? "");
  const now = testing(after ?? "");
  if (old.recipe.length === 0) {
    const lines = now.recipe.filter((line) => line.startsWith("\t"));
    return lines.some(hides) || (lines.length > 0 && lines.every(isIdle))
      ? [{ message: "the new test target does not run the tests, or hides how they end" }]
      : [];
  }
  return JSON.stringify(old) === JSON.stringify(now)
    ? []
    : [{ message: "the test target of the Makefile was changed or taken away" }];
}

/** However a line ends, it is no failure. */
const hides = (line: string): boolean =>
  /^\t\s*@?-/.test(line) ||
  line
    .split(/\|\||;/)
    .slice(1)
    .some((rest) => /^\s*(?:true|:|exit 0)(?!\w)/.test(rest));

const isIdle = (line: string): boolean => {
  const words = line.replace(/^\t\s*@?/, "").trim();
  return /^(?:true|:|exit 0)$/.test(words) || (/^echo\b/.test(words) && !/[&|;]/.test(words));
};

interface TestRecipe {
  recipe: string[];
  /** What the recipe is made with. */
  variables: string[];
  general: string[];
}

function testing(text: string): TestRecipe {
  const lines = text.split("\n").map((line) => line.trimEnd());
  const recipe: string[] = [];
  let inside = false;
  for (const line of lines) {
    if (/^[^\t#\s][^=]*:(?!=)/.test(line))
      inside =
        line
          .split(":")[0]
          ?.split(/\s+/)
          .some((name) => TARGETS.test(name)) ?? false;
    if (inside && line !== "" && !/^\s*#/.test(line)) recipe.push(line);
  }
  const used = new Set(recipe.flatMap((line) => [...line.matchAll(/\$[({](\w+)[)}]/g)].map(([, name]) => name ?? "")));
  const variables = lines.filter((line) => used.has(/^(?:override\s+)?(\w+)\s*[:+?!]*=/.exec(line)?.[1] ?? ""));
  return { recipe, variables, general: recipe.length > 0 ? lines.filter((line) => GENERAL.test(line)) : [] };
}
