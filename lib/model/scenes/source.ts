/** A tag for the text of a written file: backslashes stay as they are; only backticks and `${` need one before them. */
export function source(template: TemplateStringsArray): string {
  const text = template.raw.join("").replaceAll("\\`", "`").replaceAll("\\${", "${");
  return text.startsWith("\n") ? text.slice(1) : text;
}
