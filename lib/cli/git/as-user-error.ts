/** What a Git server refused, as a command says it. */
import { UserError } from "../../core/errors.ts";
import type { GitError } from "../../core/git/servers.ts";

/** `kept`: what is as it was, in a sentence. */
export const asUserError = ({ message, kind }: GitError, kept: string): UserError =>
  new UserError(`${message} ${kept}`, {
    exitCode: 3,
    remedy:
      kind === "credentials"
        ? "Set GITHUB_TOKEN, GITLAB_TOKEN, or L2MAC_GIT_TOKEN with L2MAC_GIT_HOST; then the same command again."
        : "The same command again, once the server takes it.",
  });
