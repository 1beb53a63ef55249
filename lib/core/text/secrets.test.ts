import { describe, expect, it } from "vitest";
import { processorMs } from "../../../test/doubles/enough-time.ts";
import { thorough } from "../../../test/doubles/thorough.ts";
import { findSecrets } from "./find-secrets.ts";
import { maskEveryText, maskSecrets, restoreSecrets } from "./secrets.ts";

/** In parts, so that this file holds no secret itself. */
const written = (...parts: string[]): string => parts.join("");
const PEM = written(
  "-----BEGIN RSA PRIVATE",
  " KEY-----\nMIIEowIBAAKCAQEA\nq83vEjRWeJ==\n-----END RSA PRIVATE KEY-----",
);
const GITHUB = written("gh", "p_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5");
const OTHER = written("gh", "p_zB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5");
const DRAWN = "k9Zr2Qv7Lm4Xp8Tn3Bw6";

const FORMATS: [string, string][] = [
  ["aws access key", written("AK", "IAIOSFODNN7EXAMPLE")],
  ["aws session token", written("IQoJb3JpZ2lu", "X2Vj", "aB3/+".repeat(30))],
  ["github token", GITHUB],
  ["github token", written("github", "_pat_", "aB3d_".repeat(12))],
  ["gitlab token", written("gl", "pat-", "aB3d-".repeat(4))],
  ["slack token", written("xo", "xb-", "1234-".repeat(5))],
  ["slack webhook", written("hooks.slack", ".com/services/T00000000/B00000000/", "aB3d".repeat(6))],
  ["stripe key", written("sk", "_live_", "aB3d".repeat(6))],
  ["anthropic key", written("sk", "-ant-api03-", "aB3d_".repeat(10))],
  ["openai key", written("sk", "-proj-", "aB3d_".repeat(10))],
  ["google key", written("AI", "za", "aB3d_".repeat(7))],
  ["npm token", written("np", "m_", "aB3d".repeat(9))],
  ["pypi token", written("py", "pi-AgEIcHlwaS", "aB3d_".repeat(12))],
  ["sendgrid key", written("S", "G.", "aB3d_".repeat(4), "ab", ".", "aB3d_".repeat(8), "abc")],
  ["docker token", written("dckr", "_pat_", "aB3d_".repeat(5))],
  ["digitalocean token", written("dop", "_v1_", "0123abcd".repeat(8))],
  ["hugging face token", written("h", "f_", "aBcD".repeat(8), "ab")],
  ["groq key", written("gs", "k_", "aB3d".repeat(13))],
  ["vault token", written("hv", "s.", "aB3d_".repeat(6))],
  ["vault token", written("hv", "b.", "aB3d_".repeat(28))],
  ["databricks token", written("da", "pi", "0123abcd".repeat(4))],
  ["databricks token", written("da", "pi", "0123ABCD".repeat(4))],
  ["shopify token", written("shp", "at_", "0123abcd".repeat(4))],
  ["shopify token", written("shp", "ss_", "aB3dxY".repeat(6), "ab")],
  ["cloudflare token", written("cf", "ut_", "aB3d".repeat(10), "0123abcd")],
  ["vercel token", written("vc", "p_", "aB3d".repeat(10))],
  ["tailscale key", written("tskey", "-auth-", "kAbC123CNTRL-", "aB3d".repeat(8))],
  ["figma token", written("fi", "gd_", "aB3d_".repeat(8))],
  ["grafana token", written("gl", "sa_", "aB3d".repeat(8), "_0123abcd")],
  ["linear key", written("lin", "_api_", "aB3d".repeat(10))],
  ["notion token", written("nt", "n_", "aB3d".repeat(12))],
  ["onepassword token", written("op", "s_eyJ", "aB3d".repeat(20))],
  ["telegram token", written("314366764", ":AA", "2039bicBTW5ZE9LFaez7770H2DCpYgojj")],
  ["hugging face token", written("h", "f_", "aB3d".repeat(8), "ab")],
  ["age key", written("AGE-SECRET", "-KEY-1", "Q".repeat(58))],
  ["json web token", written("ey", "JhbGciOiJIUzI1NiJ9.", "eyJzdWIiOiIxMjM0NTY3ODkwIn0.", "aB3d_".repeat(8))],
];

describe("a text with secrets", () => {
  it.each(FORMATS)("shows no %s", (kind, secret) => {
    expect(maskSecrets(`before ${secret} after`)).toBe(`before [secret: ${kind}] after`);
    expect(maskSecrets(`shown as "a\\n${secret}"`)).toBe(`shown as "a\\n[secret: ${kind}]"`);
  });

  it.each(FORMATS.filter(([kind]) => kind !== "slack webhook"))("shows no %s in a name", (kind, secret) => {
    expect(maskSecrets(`glued_${secret}`)).toBe(`glued_[secret: ${kind}]`);
  });

  it.each(FORMATS)("shows no %s with characters that have no width", (kind, secret) => {
    const hidden = `${secret.slice(0, 3)}\u200b${secret.slice(3, -4)}\u2060\ufeff${secret.slice(-4)}`;
    const text = `a\u200b ${hidden} b`;
    expect(maskSecrets(text)).toBe(`a\u200b [secret: ${kind}] b`);
    expect(restoreSecrets(maskSecrets(text), text)).toBe(text);
  });

  it("shows no token between underscores", () => {
    expect(maskSecrets(`glued_${GITHUB}_glued`)).toBe("glued_[secret: github token]_glued");
    const key = written("AK", "IAIOSFODNN7EXAMPLE");
    expect(maskSecrets(`__${key}__`)).toBe("__[secret: aws access key]__");
  });

  it.each([
    ["aws_secret_access_key = ", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "", "aws secret key"],
    ['{"AWS_SECRET_ACCESS_KEY":"', "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", '"}', "aws secret key"],
    ["AccountName=a;AccountKey=", `${"aB3d/+".repeat(14)}ab==`, ";EndpointSuffix=x", "azure storage key"],
    ["postgres://app:", "sword4fish", "@db.internal:5432/x", "password in a URL"],
    ["jdbc:mysql://app:", "p%40ssage", "@[::1]/x", "password in a URL"],
    ["mongodb+srv://app:", "sw@rd4@fish", "@db.internal/x", "password in a URL"],
    ["https://app:", "sword4fish", "@db.internal?to=me@example.org", "password in a URL"],
    ['api_key = "', DRAWN, '"', "assigned secret"],
    ["config.clientSecret: '", DRAWN, "',", "assigned secret"],
    ['"auth-token" => "', DRAWN, '"', "assigned secret"],
    ["export DB_PASSWORD=", DRAWN, "\nB=c", "assigned secret"],
    ["api_key = ", "23732881584d8c4fa2815d2802827283e0ad84173581569969e58b081006f7e3", "\n", "assigned secret"],
    ["environment:\n  - POSTGRES_PASSWORD=", DRAWN, "\n", "assigned secret"],
    ["spring.datasource.password=", DRAWN, "\n", "assigned secret"],
    ['process.env.SECRET ??= "', DRAWN, '";', "assigned secret"],
    ['{"client_secret":\n"', DRAWN, '"}', "assigned secret"],
    ["secret_key:\n  ", DRAWN, "\n", "assigned secret"],
    ["bot", written("314366764", ":AA", "2039bicBTW5ZE9LFaez7770H2DCpYgojj"), "/x", "telegram token"],
    ["https://", `discord.com/api/webhooks/111489364390084745/${"aB3d".repeat(17)}`, " x", "discord webhook"],
  ])("shows what %s leads to no more", (before, secret, after, kind) => {
    expect(maskSecrets(before + secret + after)).toBe(`${before}[secret: ${kind}]${after}`);
  });

  it("shows no private key, nor one whose end is cut off, and keeps the lines that follow in their place", () => {
    expect(maskSecrets(`a\n${PEM}\nb`)).toBe("a\n[secret: private key]\n\n\n\nb");
    expect(maskSecrets(`a\n${PEM.slice(0, 50)}`)).toBe("a\n[secret: private key]\n\n");
    const quoted = JSON.stringify({ key: PEM, other: "x" });
    expect(maskSecrets(quoted)).toBe('{"key":"[secret: private key]","other":"x"}');
  });

  it("shows no private key of PGP", () => {
    const key = written(
      "-----BEGIN PGP PRIVATE",
      ` KEY BLOCK-----\n\n${"aB3d".repeat(16)}\n-----END PGP PRIVATE KEY BLOCK-----`,
    );
    expect(maskSecrets(`a ${key} b`)).toBe("a [secret: private key]\n\n\n b");
  });

  it.each([
    "sk-loading-indicator-of-a-page, AKIA, a task-12345678901234567890123, gh_pages, -----BEGIN CERTIFICATE-----",
    'if (line.startsWith("-----BEGIN PRIVATE KEY-----")) return readKey(line, options, andMuchMore);',
    "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
    "postgres://user:password@localhost/x, https://a:$TOKEN_2@b.example, redis://:{secret}@c, http://x:<password>@d",
    "git@github.com:owner/name.git, https://example.org:8080/@scope/package, http://[::1]:4600/x@y",
    'token = "generate_a_token_for_user", password: "correct-horse-battery-staple"',
    'const apiKey = process.env.API_KEY2; token = "your-api-key-goes-here-1"; secret: "$SECRET_VALUE_2"',
    'tokenizer = "k9Zr2Qv7Lm4Xp8Tn3Bw6", integrity: "sha512-k9Zr2Qv7Lm4Xp8Tn3Bw6", publicKeyId: "k9Zr2Qv7Lm4Xp8Tn3Bw6"',
    "TOKEN_LIMIT=1000000000000000, SECRET_KEY=abcdabcdabcdabcd1234",
    "[secret: github token] and [secret: assigned secret 2]",
  ])("is left as it is: %s", (text) => {
    expect(maskSecrets(text)).toBe(text);
  });

  it("has another mask for each secret of a kind, and one for the same", () => {
    expect(maskSecrets(`${GITHUB} ${OTHER} ${GITHUB}`)).toBe(
      "[secret: github token] [secret: github token 2] [secret: github token]",
    );
  });

  it("is masked in every field of a value", () => {
    expect(maskEveryText({ a: [GITHUB, 1, null], b: { c: `x ${GITHUB}` } })).toEqual({
      a: ["[secret: github token]", 1, null],
      b: { c: "x [secret: github token]" },
    });
  });

  it("gets its secrets back where masks were kept, in any order, and others not", () => {
    const original = `a = 1\nb = "${GITHUB}"\nc = "${OTHER}"\n${PEM}\nend\n`;
    expect(restoreSecrets(maskSecrets(original), original)).toBe(original);
    expect(restoreSecrets('c = "[secret: github token 2]"\n[secret: npm token]\n', original)).toBe(
      `c = "${OTHER}"\n[secret: npm token]\n`,
    );
    const windows = original.replaceAll("\n", "\r\n");
    expect(restoreSecrets(maskSecrets(windows), windows)).toBe(windows);
  });

  it("is searched in time that grows with its length", () => {
    const pieces = [
      "sk-",
      "eyJ",
      "eyJa.",
      "-----BEGIN ",
      "-----BEGIN PRIVATE KEY-----\n",
      "a://",
      "a://b:",
      "a://b:c@",
      "vcp_",
      "token",
      "token = ",
      'key="a',
      "A=",
      "aws",
      "gh",
      "xoxb-",
      "SG.",
      "hooks.slack.com/services/",
      "export A_KEY=",
      "_sk-",
      "_ghp_",
      "eyJ_",
      "_eyJa.",
      "github_pat_",
      "\u200b_sk-ant-",
    ];
    const timeOf = (text: string): number => processorMs(() => void findSecrets(text));
    const length = thorough(200_000, 1_000_000);
    for (const piece of pieces)
      expect(timeOf(`token key ${piece.repeat(length / piece.length)}`)).toBeLessThan(length / 1_000);
  });
});
