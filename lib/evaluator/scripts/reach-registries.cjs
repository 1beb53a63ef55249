// Runs a program in a sandbox without network: it reaches the one socket that leads to registries as a port of its own.
// reach-registries.cjs SOCKET PORT PROGRAM ARGUMENTS…
const { spawn } = require("node:child_process");
const { constants } = require("node:os");
const { connect, createServer } = require("node:net");

const [socket, port, program, ...args] = process.argv.slice(1);

const server = createServer((inner) => {
  const outer = connect(socket);
  const end = () => {
    inner.destroy();
    outer.destroy();
  };
  inner.on("error", end).on("close", end).pipe(outer);
  outer.on("error", end).on("close", end).pipe(inner);
});

server.listen(Number(port), "127.0.0.1", () => {
  const child = spawn(program, args, { stdio: "inherit" });
  child.once("error", () => process.exit(127));
  child.once("exit", (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
});
