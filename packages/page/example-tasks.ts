/** Tasks to begin with. Pure. */
export const EXAMPLES: { name: string; domain: string; task: string }[] = [
  {
    name: "Command-line tool",
    domain: "codebase",
    task: "Write a command-line tool in Python that finds duplicate photos in a folder.\n\n- Compare files by their content.\n- List each group of duplicates with sizes.\n- With --delete, delete all but the oldest file of each group, after a confirmation.\n- Use the standard library only, and write tests.",
  },
  {
    name: "Web service",
    domain: "codebase",
    task: "Write a URL shortener in Node without packages.\n\n- POST /links with a URL answers a short code; the same URL gets the same code.\n- GET /<code> redirects and counts the visit.\n- GET /links/<code> shows the URL and the count.\n- Links are kept in a file. Refuse what is no http or https URL.",
  },
  {
    name: "Library",
    domain: "codebase",
    task: "Write a Python library that parses and evaluates arithmetic expressions with variables.\n\n- Support + - * / ** and parentheses, with the usual precedence.\n- Report errors with their position.\n- Never call eval.",
  },
  {
    name: "Short book",
    domain: "book",
    task: "Write a short book that tells a curious reader of any age how a stored-program computer works, as the story of an office with pigeonholes.",
  },
];
