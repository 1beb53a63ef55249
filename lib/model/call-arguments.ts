/** The arguments of an earlier call, fit to be sent again. Pure. */
import type { ToolCall } from "../core/ports.ts";
import { parseObject } from "./loose-json.ts";

/** Some servers parse what models wrote in earlier turns, and refuse the whole request when it is not JSON. */
export const callArguments = (call: ToolCall): string => (parseObject(call.arguments) ? call.arguments : "{}");
