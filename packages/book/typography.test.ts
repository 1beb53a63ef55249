import { describe, expect, it } from "vitest";
import { makeText } from "./test/made-book.ts";
import { typesetter } from "./typography.ts";

const english = typesetter("en");

describe("English text", () => {
  it.each([
    [`"Yes," he said. "It's so."`, "“Yes,” he said. “It’s so.”"],
    [`("The 'Baby' ran")`, "(“The ‘Baby’ ran”)"],
    [`"'Yes,' she said." "She said 'yes.'"`, "“‘Yes,’ she said.” “She said ‘yes.’”"],
    [`"But I---" he said. "I—"`, "“But I—” he said. “I—”"],
    [`he said—"no"—and left`, "he said—“no”—and left"],
    ["the dogs' bowl, rock 'n' roll, '90s, 'tis", "the dogs’ bowl, rock ’n’ roll, ’90s, ’tis"],
    ["so---or so--he left -- late", "so—or so—he left – late"],
    ["run it with --help", "run it with --help"],
    [`a " alone`, `a " alone`],
  ])("sets %s as a printer would", (text, set) => {
    expect(english(text)).toBe(set);
  });

  it("is set across marks, but never in code or where the writer escaped it", () => {
    const text = makeText('# T\n\n"*Yes*" it was, and the `"code"` of that \\"is\\" his. "`x`"\n\n    \'a\' -- "b"\n');
    expect(text).toContain("<p>“<em>Yes</em>” it was");
    expect(text).toContain("<code>&quot;code&quot;</code> of that &quot;is&quot; his. “<code>x</code>”");
    expect(text).toContain("&#39;a&#39; -- &quot;b&quot;");
  });
});

it("leaves quotation marks of other languages as they are, and sets their apostrophes", () => {
  expect(typesetter("fr")(`"l'homme"`)).toBe(`"l’homme"`);
});
