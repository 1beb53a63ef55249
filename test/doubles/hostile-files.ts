/** Files whose bytes are easily spoiled on the way. */

export const spoilableFiles: { path: string; content: string }[] = [
  {
    path: "unicode.txt",
    content: "naïve — 日本語 🦜 \u202Ertl\u202C e\u0301 \u{1F468}\u200D\u{1F469}\u200D\u{1F467}\n",
  },
  { path: "crlf.txt", content: "one\r\ntwo\r\n\r\nmixed\nlast\r\n" },
  { path: "bom.txt", content: "\uFEFFwith a byte order mark\n" },
  { path: "empty.txt", content: "" },
  { path: "no-final-newline.txt", content: "no newline at the end" },
  { path: "only-newlines.txt", content: "\n\n\n" },
  { path: "long-line.txt", content: "x1 ".repeat(70_000) },
  { path: "megabyte.txt", content: megabyte() },
  { path: `deep/${"folder/".repeat(30)}leaf.txt`, content: "deep\n" },
  {
    path: "template.txt",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: that it looks like a template is the point
    content: "{{task}} {{#note}}x{{/note}} ${HOME} $& $1 $$ %s {0} <%= x %> \\n \\u0041 [[ ]]\n",
  },
  {
    path: "json-like.txt",
    content: '{"files": [{"path": "../x", "content": "```"}]}\n```\n\u0000\u0001\u001b[31mred\n',
  },
  { path: "with space/ünï cödé.txt", content: "a name with spaces and accents\n" },
  { path: ".gitignore", content: "node_modules/\n" },
];

function megabyte(): string {
  let text = "";
  for (let line = 0; text.length < 1_048_576; line += 1)
    text += `line ${line} of a large file, ${(line * 7919) % 104_729}\n`;
  return text;
}
