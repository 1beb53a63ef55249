/** Which Python packages a project asks for, as far as a failed import needs to know. */
import { headAndTail } from "../../../core/text/cut.ts";
import type { ProjectEnvironment } from "../../language.ts";
import { readManifestText } from "../../packages/manifest-text.ts";
import type { CommandResult } from "../../process/run-command.ts";
import type { Report } from "../../report/read-report.ts";
import type { Tree } from "../../tree.ts";
import { isLockProblem } from "./python-locks.ts";

const MANIFESTS = /^(?:requirements[\w.-]*\.txt|pyproject\.toml|setup\.py|setup\.cfg|Pipfile|environment\.ya?ml)$/;
const MANIFEST_CHARS = 256 * 1024;

/** Packages that are imported under another name. */
const DISTRIBUTIONS = new Map(
  Object.entries({
    attr: "attrs",
    bs4: "beautifulsoup4",
    cv2: "opencv-python",
    dateutil: "python-dateutil",
    dotenv: "python-dotenv",
    fitz: "pymupdf",
    jose: "python-jose",
    jwt: "pyjwt",
    magic: "python-magic",
    multipart: "python-multipart",
    OpenSSL: "pyopenssl",
    PIL: "pillow",
    serial: "pyserial",
    skimage: "scikit-image",
    sklearn: "scikit-learn",
    yaml: "pyyaml",
  }),
);

/** Options of pytest that come with a plugin. */
const PLUGINS: [RegExp, string][] = [
  [/--cov\b/, "pytest-cov"],
  [/--asyncio-mode\b/, "pytest-asyncio"],
  [/--timeout\b/, "pytest-timeout"],
  [/--benchmark\b/, "pytest-benchmark"],
  [/--(?:numprocesses|dist)\b|(?:^|\s)-n\b/, "pytest-xdist"],
];

/** What tests are given by a plugin. */
const FIXTURES = new Map(
  Object.entries({
    aiohttp_client: "pytest-aiohttp",
    benchmark: "pytest-benchmark",
    django_user_model: "pytest-django",
    faker: "faker",
    freezer: "pytest-freezer",
    httpserver: "pytest-httpserver",
    httpx_mock: "pytest-httpx",
    mocker: "pytest-mock",
    requests_mock: "requests-mock",
    respx_mock: "respx",
    snapshot: "syrupy",
  }),
);

/** A test that fails for want of a plugin names the plugin. */
function withPlugin(one: Report["cases"][number]): Report["cases"][number] {
  if (one.missing !== undefined || (one.status !== "error" && one.status !== "failed")) return one;
  const fixture = /fixture '(\w+)' not found/.exec(one.message ?? "")?.[1] ?? "";
  const isAsync = /async def functions are not natively supported/.test(one.message ?? "");
  const missing = isAsync ? "pytest-asyncio" : FIXTURES.get(fixture);
  return missing === undefined ? one : { ...one, missing };
}

/** What a pytest says that is older than the Python which runs it: in its own words nothing points to the pin. */
const TOO_OLD =
  /required field "lineno" missing from alias|_pytest\/assertion\/rewrite\.py[\s\S]*(?:module 'ast' has no attribute|No module named 'imp'|has no attribute 'find_(?:spec|module)')/;

function withAdvice(one: Report["cases"][number]): Report["cases"][number] {
  if (one.status !== "error" || !TOO_OLD.test(one.message ?? "")) return one;
  const advice = "The pytest that the project pins is too old for this Python: require a newer one (pytest>=8).";
  return { ...one, message: `${advice}\n${one.message}` };
}

/**
 * True of a package that the project declares and that is not there all the same. A module that the project forgot to
 * write, or a package that it forgot to declare, is its own failure.
 */
export async function unavailablePackages(
  tree: Tree,
  environment?: ProjectEnvironment,
): Promise<(name: string) => boolean> {
  const manifest = await manifestOf(tree);
  const own = new Set(tree.files.flatMap((path) => path.replace(/\.py$/, "").split("/")));
  const unsure = environment
    ? environment.missing.some((line) => !isLockProblem(line))
    : /^[ \t]*["']?[\w.[\]-]+[ \t]*[=~<>]=/m.test(manifest);
  return (name) => {
    if (name === "pytest") return true;
    if (own.has(name)) return false;
    return unsure || declares(manifest, name) || declares(manifest, DISTRIBUTIONS.get(name) ?? name);
  };
}

async function manifestOf(tree: Tree): Promise<string> {
  const manifests = tree.files.filter((path) => MANIFESTS.test(path));
  const texts = await Promise.all(
    manifests.map(async (path) => (await readManifestText(tree.folder, path)).text ?? ""),
  );
  return texts.join("\n").slice(0, MANIFEST_CHARS);
}

/** Names of packages are equal without case and with any separator. */
const declares = (manifest: string, name: string): boolean =>
  ` ${normal(manifest)} `.split(/[^\w-]+/).includes(normal(name));

const normal = (text: string): string => text.toLowerCase().replaceAll(/[_.]/g, "-");

/** pytest that does not even start has no report: what it printed is all there is. */
export function withStartFailure(report: Report, result: CommandResult, runner: string): Report {
  const started = report.cases.length > 0 || report.running.length > 0;
  if (started) return { ...report, cases: report.cases.map((one) => withAdvice(withPlugin(one))) };
  if (runner !== "pytest" || result.status !== "exited" || result.exitCode !== USAGE_ERROR) return report;
  const message = headAndTail(result.stderr.trim(), 2_000);
  const missing = pluginIn(message) ?? /ModuleNotFoundError: No module named '([^'.]+)/.exec(message)?.[1];
  return { ...report, cases: [{ name: "pytest", status: "error", message, ...(missing ? { missing } : {}) }] };
}

const USAGE_ERROR = 4;

function pluginIn(message: string): string | undefined {
  const options = /unrecognized arguments: (.*)/.exec(message)?.[1] ?? "";
  const required = /Missing required plugins: ([\w.-]+)/.exec(message)?.[1];
  if (required !== undefined) return required;
  return PLUGINS.find(([option]) => option.test(options))?.[1];
}
