import { page } from "./page.js";

const MOST_BYTES = 10_000;

/** Answers requests: the page at /, and two forms that lead back to it. */
export function createApp(shelf) {
  return async (request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const route = `${request.method} ${pathname.replace(/\d+/, "N")}`;
    try {
      if (route === "GET /") return show(response, 200, page(shelf.list()));
      if (route === "POST /books") shelf.add((await formOf(request)).get("title") ?? "");
      else if (route === "POST /books/N/read") shelf.finish(Number(pathname.split("/")[2]));
      else return show(response, 404, page(shelf.list(), "There is no such page."));
      response.writeHead(303, { location: "/" }).end();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      show(response, 400, page(shelf.list(), error.message));
    }
  };
}

function show(response, status, html) {
  response.writeHead(status, { "content-type": "text/html; charset=utf-8" }).end(html);
}

async function formOf(request) {
  let text = "";
  for await (const chunk of request) {
    text += chunk;
    if (text.length > MOST_BYTES) throw new RangeError("That is too much for a title.");
  }
  return new URLSearchParams(text);
}
