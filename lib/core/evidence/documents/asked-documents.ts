/** Which documents a requirement asks for, by its words, which are English. What it does not recognize is none. Pure. */

/** Whether a file is one that the requirement asks for. */
export type AskedDocument = (path: string) => boolean;

/** None: it asks for no document, even if it speaks of some: "The command converts Markdown to HTML." */
export function askedDocuments(requirement: string): AskedDocument[] {
  const clauses = plainWords(requirement).split(/[,;:!?]|\.(?=\s|$)|\s[-–—]\s|\band\b/);
  return clauses.flatMap((clause) => {
    const noun = clause.length > CLAUSE_CHARS ? undefined : (nounOf(clause) ?? undefined);
    return noun === undefined ? [] : [documentOf(noun)];
  });
}

const CLAUSE_CHARS = 2_000;

/** Without marks of code, in lower case. LICENSE in capitals is a file; a license may be anything. */
const plainWords = (text: string): string =>
  text
    .replace(/[`"'“”‘’*]/g, "")
    .replace(/\bLICEN[CS]E\b(?:\.(?:md|txt))?/g, "license file")
    .replace(/\s+/g, " ")
    .toLowerCase();

const NAMED = String.raw`[\w./-]{1,200}\.(?:md|markdown|rst|adoc)`;
const KNOWN =
  "read ?me(?:\\.md)?|change ?log(?:\\.md)?|licen[cs]e (?:file|text)|contributing(?:\\.md| (?:file|guide|guidelines))|(?:user |developer )?(?:guide|manual)|tutorial|documentation";
const ADJECTIVE =
  "(?:(?:short|brief|complete|full|new|updated|user|developer|api|project|english|german|french|own|root|top-level) )";
const DOCUMENT = `(?:(?:a|an|the|its|this|one) )?${ADJECTIVE}{0,2}(?:(?:file|document|page) )?(${NAMED}|${KNOWN})(?: (?:file|page|document))?`;
const WHERE = "(?: (?:in|of|at|for|under) (?:the |a |an |its )?[\\w./-]+)?";
const SAYS =
  "(?:show|explain|describe|document|cover|say|state|tell|introduce|summarize|demonstrate|name|list|link|mention|contain|include|have|give|present)s?|has";
/** Of any file these could be said of what a program reads or writes. */
const WRITTEN = "show|explain|describe|document|cover|say|state|tell|introduce|summarize";
const MODAL = "(?:(?:must|should|shall|also|then|briefly|clearly|correctly) ){0,2}";

const SUBJECT = new RegExp(`^ ?${DOCUMENT}${WHERE} ${MODAL}(${SAYS})\\b`);
const IS_THERE = new RegExp(`^ ?there (?:is|must be|should be|shall be) ${DOCUMENT}(?=[ .]|$)`);
const TO_WRITE = new RegExp(
  `^ ?(?:please )?(?:write|add|provide|include|update|create|extend|deliver) (?:to )?${DOCUMENT}(?=[ .]|$)`,
);
const COMES_WITH = new RegExp(
  `^ ?(?:it|the (?:project|package|repository|library|delivery)) ${MODAL}(?:has|have|includes?|contains?|comes? with|ships? with) ${DOCUMENT}(?=[ .]|$)`,
);
const DOCUMENTED_IN = new RegExp(
  `(?<!that|which) (?:is|are|be) (?:also |briefly |all )?(?:documented|described|explained|shown|summarized) in ${DOCUMENT}(?=[ .]|$)`,
);

function nounOf(clause: string): string | undefined {
  const [, subject, verb = ""] = SUBJECT.exec(clause) ?? [];
  if (subject !== undefined && (!isNamed(subject) || new RegExp(`^(?:${WRITTEN})s?$`).test(verb))) return subject;
  for (const pattern of [IS_THERE, TO_WRITE, COMES_WITH, DOCUMENTED_IN]) {
    const [, noun] = pattern.exec(clause) ?? [];
    if (noun !== undefined) return noun;
  }
  return undefined;
}

/** By its path; README.md without a folder is any README. */
const isNamed = (noun: string): boolean =>
  /\.(?:md|markdown|rst|adoc)$/.test(noun) && !/^(?:readme|changelog|contributing)\.md$/.test(noun);

function documentOf(noun: string): AskedDocument {
  if (isNamed(noun)) return (path) => path.toLowerCase() === noun.replace(/^\.?\//, "");
  if (/^read ?me/.test(noun)) return isReadme;
  if (/^change ?log/.test(noun)) return (path) => hasName(path, /^(?:changelog|changes)$/);
  if (/^licen/.test(noun)) return (path) => hasName(path, /^licen[cs]e$/);
  if (/^contributing/.test(noun)) return (path) => hasName(path, /^contributing$/);
  return (path) => isReadme(path) || /(?:^|\/)docs?\//i.test(path);
}

const hasName = (path: string, name: RegExp): boolean =>
  name.test(
    path
      .slice(path.lastIndexOf("/") + 1)
      .toLowerCase()
      .replace(/\.(?:md|markdown|txt|rst|adoc)$/, ""),
  );

const isReadme = (path: string): boolean => hasName(path, /^readme$/);
