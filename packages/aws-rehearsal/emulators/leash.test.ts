import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { expect, it } from "vitest";
import { type Server, startServer } from "./leash.ts";

const serverProgram = `require("node:http").createServer((_, answer) => answer.end("hello")).listen(process.argv[1], "127.0.0.1")`;
const server: Server = { argv: (port) => [process.execPath, "-e", serverProgram, String(port)] };

/** Resolves when the port is closed. */
async function untilGone(endpoint: string): Promise<void> {
  while (await fetch(endpoint).then(Boolean, () => false)) await new Promise((resolve) => setImmediate(resolve));
}

it("a server answers until it is stopped", async () => {
  const running = await startServer(server);
  expect(await (await fetch(running.endpoint)).text()).toBe("hello");
  await running.stop();
  await untilGone(running.endpoint);
  await running.stop();
});

it("a server ends with the process that started it, even if that is killed", async () => {
  const program = `
    import { startServer } from ${JSON.stringify(new URL("leash.ts", import.meta.url).href)};
    const server = { argv: (port) => [process.execPath, "-e", ${JSON.stringify(serverProgram)}, String(port)] };
    console.log((await startServer(server)).endpoint);
    setInterval(() => {}, 1_000);`;
  const starter = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = createInterface(starter.stdout);
  const [endpoint] = (await once(lines, "line")) as [string];
  expect(await (await fetch(endpoint)).text()).toBe("hello");
  starter.kill("SIGKILL");
  await untilGone(endpoint);
});

it("a server that does not listen is an error with its last words", async () => {
  const program = `console.error("no such " + "table"); process.exit(3)`;
  await expect(startServer({ argv: () => [process.execPath, "-e", program] })).rejects.toThrow("no such table");
});
