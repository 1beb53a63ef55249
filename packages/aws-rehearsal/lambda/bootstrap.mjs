/** What Lambda's runtime does inside of a function's process: loads the handler, and asks for one invocation after the other. */
import { existsSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

// Once, at the start: a function may take them out of its environment.
const own = { ...process.env };
const [host, port] = own.AWS_LAMBDA_RUNTIME_API.split(":");
let current;

// The parent is gone, so no caller waits.
connect(Number(port), host)
  .on("error", () => {})
  .on("close", () => process.exit(1))
  .unref();

for (const event of ["uncaughtException", "unhandledRejection"]) {
  process.on(event, async (error) => {
    const failure = errorOf(error);
    if (event === "unhandledRejection") failure.errorType = "Runtime.UnhandledPromiseRejection";
    const where = current ? `invocation/${current}/error` : "init/error";
    await ask("POST", where, JSON.stringify(failure));
    process.exit(event === "uncaughtException" ? 129 : 128);
  });
}

try {
  await serve(await handlerOf(own._HANDLER));
} catch (error) {
  await ask("POST", "init/error", JSON.stringify(errorOf(error)));
  process.exit(1);
}

async function serve(handler) {
  for (;;) {
    const { headers, text } = await ask("GET", "invocation/next");
    current = headers["lambda-runtime-aws-request-id"];
    process.env._X_AMZN_TRACE_ID = headers["lambda-runtime-trace-id"];
    const [how, answer] = await call(handler, text, headers);
    await ask("POST", `invocation/${current}/${how}`, answer);
    current = undefined;
  }
}

async function call(handler, text, headers) {
  try {
    const answer = await handler(JSON.parse(text), contextOf(headers));
    return ["response", JSON.stringify(answer === undefined ? null : answer)];
  } catch (error) {
    return ["error", JSON.stringify(errorOf(error))];
  }
}

function contextOf(headers) {
  const deadline = Number(headers["lambda-runtime-deadline-ms"]);
  const tenantId = headers["lambda-runtime-aws-tenant-id"];
  return {
    awsRequestId: headers["lambda-runtime-aws-request-id"],
    invokedFunctionArn: headers["lambda-runtime-invoked-function-arn"],
    functionName: own.AWS_LAMBDA_FUNCTION_NAME,
    functionVersion: own.AWS_LAMBDA_FUNCTION_VERSION,
    memoryLimitInMB: own.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    logGroupName: own.AWS_LAMBDA_LOG_GROUP_NAME,
    logStreamName: own.AWS_LAMBDA_LOG_STREAM_NAME,
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
    ...(tenantId === undefined ? {} : { tenantId }),
  };
}

async function handlerOf(name) {
  const [, file = name, exported = ""] = /^([^.]+)\.(.+)$/.exec(basename(name)) ?? [];
  const path = join(own.LAMBDA_TASK_ROOT, dirname(name), file);
  const found = [".js", ".mjs", ".cjs"].map((end) => path + end).find(existsSync);
  if (!found) throw named("Runtime.ImportModuleError", `Error: Cannot find module '${file}'`);
  const module = await loaded(found);
  if (typeof module[exported] !== "function")
    throw named("Runtime.HandlerNotFound", `${name} is undefined or not exported`);
  return module[exported];
}

async function loaded(path) {
  try {
    return await import(pathToFileURL(path).href);
  } catch (error) {
    if (/MODULE_NOT_FOUND$/.test(error?.code)) throw named("Runtime.ImportModuleError", String(error));
    if (error instanceof SyntaxError) throw named("Runtime.UserCodeSyntaxError", String(error));
    throw error;
  }
}

function named(name, message) {
  return Object.assign(new Error(message), { name });
}

function errorOf(error) {
  if (!(error instanceof Error)) return { errorType: typeof error, errorMessage: String(error), trace: [] };
  return { errorType: error.name, errorMessage: error.message, trace: (error.stack ?? "").split("\n") };
}

/** Not `fetch`: it gives up on a server that is silent for five minutes. */
function ask(method, path, body) {
  return new Promise((resolve) => {
    const asked = request({ host, port, method, path: `/2018-06-01/runtime/${path}`, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part) => {
        text += part;
      });
      response.on("end", () => resolve({ headers: response.headers, text }));
    });
    // The Runtime API is gone, so this process ends too.
    asked.on("error", () => process.exit(1));
    asked.end(body);
  });
}
