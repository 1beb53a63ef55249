/** The environment variables of a function's process: the template's, Lambda's own, and one exception. Pure. */

import type { Credentials } from "../parts.ts";
import { type FunctionDeclaration, logGroupOf } from "./function-declaration.ts";
import type { Image } from "./image-layout.ts";

export interface Endpoint {
  endpoint: string;
  /** Of the server there, where it speaks TLS. */
  certificateFile?: string;
}

export interface Setting {
  region: string;
  credentials: Credentials;
  /** The Runtime API's. */
  address: string;
  /** The one exception: where AWS is, and whom to believe that it is there. */
  aws: Endpoint;
  logStream: string;
  taskRoot: string;
  handler: string;
  /** This computer's. */
  path: string;
  /** What the image sets, already as paths of this computer. */
  imageEnv: Record<string, string>;
}

export function environmentOf(declaration: FunctionDeclaration, setting: Setting): Record<string, string> {
  const { name, properties } = declaration;
  const { LogFormat, ApplicationLogLevel } = properties.LoggingConfig;
  return {
    ...BASE,
    PATH: setting.path,
    ...setting.imageEnv,
    ...properties.Environment.Variables,
    ...{ AWS_REGION: setting.region, AWS_DEFAULT_REGION: setting.region },
    ...keysOf(setting.credentials),
    AWS_LAMBDA_FUNCTION_NAME: name,
    AWS_LAMBDA_FUNCTION_VERSION: "$LATEST",
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(properties.MemorySize),
    AWS_LAMBDA_LOG_GROUP_NAME: logGroupOf(declaration),
    AWS_LAMBDA_LOG_STREAM_NAME: setting.logStream,
    AWS_LAMBDA_LOG_FORMAT: LogFormat,
    ...(LogFormat === "JSON" ? { AWS_LAMBDA_LOG_LEVEL: ApplicationLogLevel ?? "INFO" } : {}),
    AWS_LAMBDA_INITIALIZATION_TYPE: "on-demand",
    AWS_LAMBDA_RUNTIME_API: setting.address,
    ...(properties.PackageType === "Zip" ? { AWS_EXECUTION_ENV: `AWS_Lambda_${properties.Runtime}` } : {}),
    _HANDLER: setting.handler,
    LAMBDA_TASK_ROOT: setting.taskRoot,
    AWS_ENDPOINT_URL: setting.aws.endpoint,
    ...(setting.aws.certificateFile === undefined ? {} : { NODE_EXTRA_CA_CERTS: setting.aws.certificateFile }),
  };
}

const BASE = { LANG: "en_US.UTF-8", TZ: ":UTC", LAMBDA_RUNTIME_DIR: "/var/runtime" };

const keysOf = ({ accessKeyId, secretAccessKey, sessionToken }: Credentials) => ({
  AWS_ACCESS_KEY_ID: accessKeyId,
  AWS_SECRET_ACCESS_KEY: secretAccessKey,
  ...(sessionToken === undefined ? {} : { AWS_SESSION_TOKEN: sessionToken }),
});

/** Paths of the image are paths below its folder; the folder for temporary files is each environment's own. */
export function imagePaths({ env, root }: Pick<Image, "env" | "root">, tmp: string): Record<string, string> {
  const onThisComputer = (value: string): string => {
    if (value === "/tmp" || value.startsWith("/tmp/")) return `${tmp}${value.slice("/tmp".length)}`;
    return value.startsWith("/") ? `${root}${value}` : value;
  };
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, onThisComputer(value)]));
}
