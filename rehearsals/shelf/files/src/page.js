const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
export const escaped = (text) => text.replace(/[&<>"']/g, (character) => ENTITIES[character]);

/** The whole page. `problem` is shown above the form. */
export function page(books, problem = "") {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Shelf</title>
<h1>Shelf</h1>
${problem === "" ? "" : `<p role="alert">${escaped(problem)}</p>`}
<form method="post" action="/books">
  <label>Title <input name="title" required maxlength="200"></label>
  <button>Add</button>
</form>
<ul>
${books.map(item).join("\n")}
</ul>
</html>
`;
}

function item({ id, title, read }) {
  if (read) return `  <li><s>${escaped(title)}</s></li>`;
  const button = `<button aria-label="Read ${escaped(title)}">Read</button>`;
  return `  <li><form method="post" action="/books/${id}/read">${escaped(title)} ${button}</form></li>`;
}
