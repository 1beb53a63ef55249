/** The files that are secrets by their name, by a form that only secrets have, or by what is in their text. Pure. */
import { findSecrets, lineOf } from "./find-secrets.ts";
import { isDrawn } from "./secret-guess.ts";

interface SecretFiles {
  /** What they are, for the user. */
  reason: string;
  /** Of the path in lower case, its folders included. */
  name: RegExp;
  /** Of these names only files with such a text. */
  holds?: RegExp;
  /** Except files with only such a text, or with none at all. */
  safe?: (text: string) => boolean;
}

/** The end of a path: a file of one of these names, in any folder. */
const named = (names: string): RegExp => new RegExp(`(?:^|/)(?:${names})$`, "s");

const PEM_LABEL = /-----BEGIN ([A-Z0-9 ]{1,60})-----/g;
const isPublic = (label: string): boolean => /CERTIFICATE|PUBLIC KEY|PARAMETERS|X509 CRL/.test(label);

/** Certificates and public keys are written in the same form as private keys. */
function holdsNoKey(text: string): boolean {
  const labels = Array.from(text.matchAll(PEM_LABEL), ([, label = ""]) => label);
  return labels.length === 0 ? text.trim() === "" : labels.every(isPublic);
}

const SECRET_FILES: readonly SecretFiles[] = [
  // `.env.example` and the like are written for readers.
  { reason: ".env file", name: named("(?!.*[._-](?:example|sample|template)$)(?:\\.env(?:[._~-][^/]*)?|[^/]+\\.env)") },
  {
    reason: "SSH key",
    name: named("id_(?:rsa|dsa|ecdsa|ed25519|ecdsa_sk|ed25519_sk)|[^/]+\\.ppk|\\.ssh/(?!.*\\.pub$).+"),
  },
  { reason: "PGP key ring", name: named("secring\\.gpg|\\.gnupg/.+") },
  { reason: "private key", name: named("[^/]+\\.(?:pem|key)"), safe: holdsNoKey },
  { reason: "key store", name: named("[^/]+\\.(?:p12|pfx|p8|pk8|jks|keystore|bcfks|kdbx|keychain|keychain-db)") },
  {
    reason: "credentials file",
    name: named(
      [
        "[._]netrc|\\.git-credentials|\\.pgpass|pgpass\\.conf|\\.htpasswd|\\.s3cfg|\\.boto|\\.vault-token|\\.dockercfg",
        "\\.databrickscfg|\\.my\\.cnf|\\.mylogin\\.cnf|\\.docker/config\\.json|\\.cargo/credentials(?:\\.toml)?",
        "\\.gem/credentials|\\.config/(?:gcloud|gh|hub|rclone)/.+|rclone\\.conf|credentials\\.tfrc\\.json",
        "\\.aws/credentials|\\.aws/(?:cli|sso)/cache/.+|\\.azure/(?:accesstokens|msal_token_cache)[^/]*",
        "application_default_credentials\\.json",
      ].join("|"),
    ),
  },
  {
    reason: "credentials file",
    name: named("\\.npmrc|\\.yarnrc(?:\\.yml)?|\\.pypirc|pip\\.conf"),
    // Not a variable that a program puts in.
    holds:
      /(?:_auth|_authToken|_password|npmAuthToken|npmAuthIdent|^[ \t]*password)["']?[ \t]{0,8}[=:][ \t]{0,8}["']?(?![ \t$%"'])\S/im,
  },
  {
    reason: "credentials file",
    name: named("credentials(?:\\.json)?|client_?secrets?[^/]*\\.json|auth\\.json"),
    holds:
      /"(?:client_secret|refresh_token|private_key|github-oauth|http-basic)"|^[ \t]*aws_secret_access_key[ \t]*=/im,
  },
  { reason: "service account", name: named("[^/]+\\.json"), holds: /"type"\s{0,20}:\s{0,20}"service_account"/ },
  { reason: "Terraform state file", name: named("[^/]+\\.tfstate(?:\\.[^/]*)?") },
  { reason: "kubeconfig", name: named("(?:\\.kube/config|kubeconfig|[^/]+\\.kubeconfig|kubeconfig\\.ya?ml)") },
  { reason: "kubeconfig", name: named("[^/]+\\.ya?ml"), holds: /^[ \t]*(?:client-key-data|auth-provider):[ \t]*\S?/m },
  {
    reason: "history file",
    name: named("\\.(?:ba|z|fi)?sh_history|\\.(?:python|psql|mysql|node_repl|sqlite)_history"),
  },
];

const keyOf = (path: string): string => path.normalize("NFC").toLowerCase();

/** Undefined: the name alone does not decide. */
export const secretByName = (path: string): string | undefined =>
  SECRET_FILES.find(({ name, holds, safe }) => !holds && !safe && name.test(keyOf(path)))?.reason;

/** `text`: undefined where the file is binary. */
export function secretByForm(path: string, text: string | undefined): string | undefined {
  const key = keyOf(path);
  return SECRET_FILES.find(({ name, holds, safe }) => {
    if (!(holds || safe) || !name.test(key)) return false;
    return holds ? text !== undefined && holds.test(text) : text === undefined || safe?.(text) === false;
  })?.reason;
}

/** Signs of a value that was written for readers. A key that was drawn has none of them but by a rare chance. */
const EXAMPLE = /example|placeholder|dummy|sample|fake|redacted|(.)\1{5}|abcdef|123456/i;

/**
 * The first secret in a text that is probably one. What is found and is probably none, as the password of a URL in a
 * manual, is masked where a model sees the text.
 */
export function probableSecret(text: string): { kind: string; line: number } | undefined {
  const first = findSecrets(text).find(({ kind, start, end }) => {
    const secret = text.slice(start, end);
    if (kind === "private key") return true;
    return !EXAMPLE.test(secret) && (kind !== "password in a URL" || isDrawn(secret));
  });
  return first && { kind: first.kind, line: lineOf(text, first.start) };
}
