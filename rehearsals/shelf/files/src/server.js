import { createServer } from "node:http";
import { createApp } from "./app.js";
import { createShelf } from "./books.js";

const port = Number(process.env.PORT ?? 3000);
createServer(createApp(createShelf())).listen(port, "127.0.0.1", () => {
  console.log(`Shelf is at http://127.0.0.1:${port}`);
});
