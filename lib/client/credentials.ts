/** The caller's AWS credentials, as the AWS tools find them: environment, profiles, single sign-on, roles. */
import { UserError } from "../core/errors.ts";
import type { Credentials } from "./sign.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Late: the library that looks is large. Kept and renewed by it, so that a run can be followed for days. */
export function findCredentials(): () => Promise<Credentials> {
  let find: (() => Promise<Credentials>) | undefined;
  return async () => {
    const { defaultProvider } = await import("@aws-sdk/credential-provider-node");
    find ??= defaultProvider();
    try {
      return await find();
    } catch (error) {
      throw notFound(error);
    }
  };
}

const notFound = (error: unknown): UserError =>
  new UserError(`No AWS credentials were found: ${firstLine(error)}`, {
    exitCode: 3,
    remedy: "Sign in (aws sso login, or aws configure), or set AWS_PROFILE; then run the same command again.",
    cause: error,
  });

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split("\n", 1)[0] ?? "";

/** Whose credentials they will be, as far as the environment tells. Nothing of them is shown. */
export function sourceOf(env: Environment): string {
  if (env.AWS_PROFILE) return `profile ${env.AWS_PROFILE}`;
  if (env.AWS_ACCESS_KEY_ID) return "the credentials in the environment";
  if (env.AWS_WEB_IDENTITY_TOKEN_FILE) return `the role ${env.AWS_ROLE_ARN ?? "of the web identity"}`;
  if (env.AWS_CONTAINER_CREDENTIALS_RELATIVE_URI || env.AWS_CONTAINER_CREDENTIALS_FULL_URI)
    return "the container's role";
  return "the user that the AWS tools find";
}
