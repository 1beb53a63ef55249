/** What cargo and the compiler print, as findings, and which packages they lack. Pure. The project wrote part of it. */
import * as z from "zod";
import type { Finding } from "../../../core/verdict/verdict.ts";

const Message = z.object({
  reason: z.literal("compiler-message"),
  message: z.object({
    level: z.string(),
    message: z.string(),
    code: z.object({ code: z.string() }).nullish(),
    spans: z.array(
      z.object({ file_name: z.string(), line_start: z.number(), column_start: z.number(), is_primary: z.boolean() }),
    ),
  }),
});

const FINDINGS = 100;

/** `folder`: where cargo ran, in the tree. */
export function findingsIn(stdout: string, folder: string): { errors: Finding[]; warnings: Finding[] } {
  const found = new Map<string, { level: string; finding: Finding }>();
  for (const line of stdout.split("\n")) {
    const message = parsed(line)?.message;
    const place = message?.spans.find((span) => span.is_primary);
    if (!message || (message.level !== "error" && message.level !== "warning") || !place) continue;
    const path = [folder, place.file_name].filter((part) => part !== "").join("/");
    const finding = {
      path,
      line: place.line_start,
      column: place.column_start,
      message: message.message,
      rule: message.code?.code ?? "syntax",
    };
    // The same file is compiled for its tests too.
    found.set(JSON.stringify(finding), { level: message.level, finding });
  }
  const of = (wanted: string): Finding[] =>
    [...found.values()].flatMap(({ level, finding }) => (level === wanted ? [finding] : [])).slice(0, FINDINGS);
  return { errors: of("error"), warnings: of("warning") };
}

function parsed(line: string): z.infer<typeof Message> | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    return Message.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

const LACKING = [
  /no matching package named `([\w-]+)` found/g,
  /failed to (?:download|get|load source for dependency) `([\w-]+)/g,
  /failed to select a version for the requirement `([\w-]+)/g,
  /unable to get packages from source|attempting to make an HTTP request, but --offline/g,
];

/** Packages that cargo could not have. It begins nothing without them. */
export const lackingIn = (stderr: string): string[] => [
  ...new Set(LACKING.flatMap((pattern) => [...stderr.matchAll(pattern)].map(([, name]) => name ?? "of the registry"))),
];

/** Of the toolchain, not of the project. */
export function lackingToolIn(stderr: string): string | undefined {
  const newer = /(?:requires|supported by) rustc (\d[\w.]*)/.exec(stderr)?.[1];
  if (newer && /rustc \d[\w.]* is not supported|requires rustc/.test(stderr))
    return `Rust ${newer}, which a package asks for,`;
  if (/linker `(\S+)` not found/.test(stderr)) return "a C compiler, which Rust links with,";
  const library = /system library `([\w.-]+)` required by crate/.exec(stderr)?.[1];
  return library ? `the system library ${library}` : undefined;
}
