import { createServer } from "node:http";
import { createApp } from "./app.js";
import { createBoard } from "./cards.js";

const answer = createApp(createBoard());
const port = Number(process.env.PORT ?? 3000);

createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  const { status, body: text } = await answer({ method: request.method, path: request.url, body });
  response.writeHead(status).end(text);
}).listen(port, "127.0.0.1", () => console.log(`The board is at http://127.0.0.1:${port}`));
