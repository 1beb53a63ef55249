/** Which Maven projects a tree has, and what of them an installer may see. Pure. */
import { posix } from "node:path";
import type { Tree } from "../../tree.ts";

const POM = "pom.xml";

/** The folders with a pom.xml, without what a build left, what is put aside and what tests use as data. */
export const pomFolders = ({ files }: Pick<Tree, "files">): string[] =>
  files
    .filter((path) => posix.basename(path) === POM && !/(?:^|\/)(?:target|src|[._][^/]*)\//.test(path))
    .map((path) => (path === POM ? "" : path.slice(0, -POM.length - 1)))
    .toSorted((one, other) => one.length - other.length);

/** Those that lie in no other one: what lies deeper are its modules, or are put aside. */
export const rootsOf = (folders: string[]): string[] =>
  folders.filter(
    (folder) => !folders.some((other) => other !== folder && (other === "" || folder.startsWith(`${other}/`))),
  );

/** Packagings that an extension adds are built like the usual one; no extension is loaded to learn of it. */
export const readablePom = (text: string): string =>
  text.replace(
    /<packaging>(?!\s*(?:pom|jar|war|ear|ejb|rar|maven-plugin)\s*<)[^<]*<\/packaging>/,
    "<packaging>jar</packaging>",
  );

/** The packages that a pom or a list of extensions names, as `group:artifact:version`. */
export const coordinatesIn = (text: string): string[] =>
  [
    ...withoutComments(text).matchAll(
      /<(?:dependency|plugin|extension|parent)>((?:(?!<(?:dependency|plugin)>)[\s\S])*?)<\/(?:dependency|plugin|extension|parent)>/g,
    ),
  ].flatMap(([, block = ""]) => {
    const [group = "org.apache.maven.plugins", artifact, version] = ["groupId", "artifactId", "version"].map((name) =>
      elementIn(block, name),
    );
    return artifact ? [[group, artifact, ...(version ? [version] : [])].join(":")] : [];
  });

export const withoutComments = (text: string): string => text.replaceAll(/<!--[\s\S]*?(?:-->|$)/g, "");

export const elementIn = (text: string, name: string): string | undefined =>
  new RegExp(`<${name}>\\s*([^<]*?)\\s*</${name}>`).exec(text)?.[1];

/** Values and profiles of `.mvn/maven.config`, and nothing else that it says. */
export const optionsIn = (text: string): string[] =>
  text.split(/\s+/).filter((option) => /^-D[\w.-]+(?:=\S*)?$|^-P[\w,.!-]+$/.test(option));

/** Profiles become active by files: of these, the names are enough. */
export const marksIn = ({ files }: Pick<Tree, "files">): string[] => {
  const folders = files.flatMap((path) => /^((?:[^/]+\/)*src\/[^/]+\/[^/]+)\//.exec(path)?.[1] ?? []);
  const marks = files.filter((path) => /(?:^|\/)(?:profile\.[^/]+|module-info\.java)$/.test(path));
  return [...new Set([...folders.map((folder) => `${folder}/`), ...marks])].slice(0, MARKS);
};
const MARKS = 2_000;
