/** The formats of secrets that their issuers document, each found in time that grows with the text. Pure. */
import { isDrawn, isPlaceholder, namesSecret } from "./secret-guess.ts";

export interface SecretFormat {
  kind: string;
  /** Without one of these texts, in any case, no pattern matches: most texts are passed over by them. */
  marks: string[];
  /** The secret itself, without what leads to it. */
  pattern: RegExp;
  /** False: it only looks like a secret. `before`: what the pattern found in front of it. */
  isSecret?: (secret: string, before: string) => boolean;
}

/**
 * Not within a word, but in a name between underscores, and after what a program shows of a line's end as `\\n`. What has
 * no upper bound comes last in a pattern: so it takes linear time, though matches may begin within one another.
 */
const token = (pattern: RegExp): RegExp => new RegExp(`(?<!(?<!\\\\)[A-Za-z0-9])(?:${pattern.source})`, "g");

const prefixed = (kind: string, marks: string[], pattern: RegExp): SecretFormat => ({
  kind,
  marks,
  pattern: token(pattern),
});

const ASSIGNED = ["secret", "token", "passw", "passphrase", "key", "credential"];

/** The values of names; the value is the match, the name is looked behind for. */
export const SECRET_FORMATS: readonly SecretFormat[] = [
  prefixed("aws access key", ["akia", "asia"], /(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])/),
  prefixed(
    "aws session token",
    ["fwogzxivyxdz", "iqojb3jpz2lux2vj"],
    /(?:FwoGZXIvYXdz|IQoJb3JpZ2luX2Vj)[A-Za-z0-9+/=]{40,}/,
  ),
  {
    kind: "aws secret key",
    marks: ["aws"],
    pattern:
      /(?<=\baws_?(?:secret_?access_?key|session_?token)["']?[ \t]{0,8}[=:][ \t]{0,8}["']?)[A-Za-z0-9+/=]{30,}/gi,
  },
  prefixed("github token", ["gh", "github_pat_"], /gh[pousr]_[A-Za-z0-9]{30,}|github_pat_\w{30,}/),
  prefixed("gitlab token", ["gl"], /gl(?:pat|dt|rt|ptt|ft|soat|cbt|agent|imt)-[\w-]{20,}/),
  prefixed("slack token", ["xox", "xapp-"], /xox[abeoprs]-[\w-]{20,}|xapp-\d-[\w-]{20,}/),
  prefixed("slack webhook", ["hooks.slack.com"], /hooks\.slack\.com\/(?:services|workflows)\/[\w+/-]{30,}/),
  prefixed(
    "stripe key",
    ["_live_", "_test_", "whsec_"],
    /[rs]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/=]{24,}/,
  ),
  prefixed("anthropic key", ["sk-ant-"], /sk-ant-[\w-]{20,}/),
  prefixed("openai key", ["sk-"], /sk-(?=[\w-]{0,200}\d)[\w-]{20,}/),
  prefixed("google key", ["aiza", "gocspx-", "ya29."], /AIza[\w-]{35}|GOCSPX-[\w-]{28}|ya29\.[\w-]{30,}/),
  prefixed("npm token", ["npm_"], /npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])/),
  prefixed("pypi token", ["pypi-ageichlwas"], /pypi-AgEIcHlwaS[\w-]{50,}/),
  prefixed("sendgrid key", ["sg."], /SG\.[\w-]{20,24}\.[\w-]{39,50}/),
  prefixed("docker token", ["dckr_"], /dckr_[po]at_[\w-]{20,}/),
  prefixed("digitalocean token", ["_v1_"], /do[oprt]_v1_[a-f0-9]{64}(?![A-Za-z0-9])/),
  prefixed("hugging face token", ["hf_"], /hf_[A-Za-z0-9]{34}(?![A-Za-z0-9])/),
  prefixed("groq key", ["gsk_"], /gsk_[A-Za-z0-9]{40,}/),
  prefixed("vault token", ["hvs.", "hvb.", "hvr."], /hv[sbr]\.[\w-]{24,}/),
  prefixed("databricks token", ["dapi"], /dapi[a-fA-F0-9]{32}(?![A-Za-z0-9])/),
  {
    kind: "telegram token",
    marks: [":aa"],
    pattern: /(?<=(?<!(?<!\\)[A-Za-z0-9])(?:bot)?)\d{8,10}:AA[\w-]{33}(?![\w-])/g,
  },
  prefixed("discord webhook", ["/api/webhooks/"], /discord(?:app)?\.com\/api\/webhooks\/\d{17,20}\/[\w-]{60,}/),
  prefixed("shopify token", ["shp"], /shp(?:at|ca|pa|ss)_[A-Za-z0-9]{32,}/),
  prefixed("cloudflare token", ["cfat_", "cfut_", "cfk_"], /cf(?:at|ut|k)_[A-Za-z0-9]{40}[a-f0-9]{8}(?![A-Za-z0-9])/),
  prefixed("vercel token", ["vca_", "vci_", "vck_", "vcp_", "vcr_"], /vc[aikpr]_(?=[A-Za-z]{0,60}\d)[A-Za-z0-9]{24,}/),
  prefixed("tailscale key", ["tskey-"], /tskey-[a-z]{3,10}-\w{6,40}-\w{20,}/),
  prefixed("figma token", ["figd_"], /figd_[\w-]{30,}/),
  prefixed("grafana token", ["glsa_", "glc_eyj"], /glsa_\w{32}_[a-fA-F0-9]{8}|glc_eyJ[\w+/=-]{40,}/),
  prefixed("linear key", ["lin_api_"], /lin_api_[A-Za-z0-9]{32,}/),
  prefixed("notion token", ["ntn_"], /ntn_[A-Za-z0-9]{40,}/),
  prefixed("onepassword token", ["ops_eyj"], /ops_eyJ[\w+/=-]{40,}/),
  prefixed("age key", ["age-secret-key-1"], /AGE-SECRET-KEY-1[0-9A-Z]{58}(?![A-Za-z0-9])/),
  { kind: "azure storage key", marks: ["accountkey="], pattern: /(?<=AccountKey=)[A-Za-z0-9+/]{86}==/gi },
  {
    kind: "json web token",
    marks: ["eyj"],
    // Behind an underscore only near the beginning of a word, so that few matches begin in one.
    pattern: /(?=eyJ)(?:(?<!(?<!\\)[\w-])|(?<=(?<![\w-])\w{1,40}_))eyJ[\w-]{14,}\.eyJ[\w-]{14,}\.[\w-]{20,}/g,
  },
  {
    kind: "password in a URL",
    marks: ["://"],
    // Before the last `@` of an address all of them belong to its password.
    pattern: /(?<=:\/\/[^\s:@/"'`<>\\]{0,100}:)(?:[^\s:@/"'`<>\\]|@(?=[^\s:@/?#"'`<>\\]{0,100}@)){6,200}(?=@[\w[])/g,
    isSecret: (secret) => !isPlaceholder(secret),
  },
  {
    kind: "private key",
    marks: ["private key-----", "private key block-----"],
    pattern:
      /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----(?:\\[rn]|(?:Proc-Type|DEK-Info|Version|Comment): [^\n]{0,100}\n|[\s"'+,A-Za-z0-9/=])*(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----)?/g,
    isSecret: (secret) => /(?:[A-Za-z0-9+/=]\s{0,2}){8}/.test(secret.replace(/-----[A-Z ]*-----/g, "-")),
  },
  {
    kind: "assigned secret",
    marks: ASSIGNED,
    pattern:
      /(?<=(?<![\w.-])([\w.-]{1,80}["'`]?[ \t]{0,8}(?:=>|:=|\?\?=|\|\|=|[:=])\s{0,40})(["'`]))[\w+/=.~!@#$%^&*-]{16,256}(?=\2)/g,
    isSecret: (secret, before) => namesSecret(before) && !isPlaceholder(secret) && isDrawn(secret),
  },
  {
    kind: "assigned secret",
    marks: ASSIGNED,
    // Of settings, without quotes: its whole line.
    pattern:
      /(?<=^[ \t]{0,40}(?:- |export )?([A-Za-z][\w.-]{1,80}[ \t]{0,8}(?:=|:)\s{0,40}))[\w+/=.~!@#$%^&*-]{16,256}[ \t]*$/gm,
    isSecret: (secret, before) => namesSecret(before) && !isPlaceholder(secret) && isDrawn(secret),
  },
];
