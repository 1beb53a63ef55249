/** Takes the folders of this computer out of a verdict: no model needs them, and they name its user. Pure. */
import type { Verdict } from "../../core/verdict/verdict.ts";
import type { ProjectEnvironment } from "../language.ts";

export interface Folders {
  /** Of the project and its copies: what lies in them is relative. */
  own: string[];
  environment?: Pick<ProjectEnvironment, "nodeModules" | "readable"> | undefined;
  /** Of the user. */
  home: string;
}

/** The same tree gives the same messages in any folder. */
export function withRelativePaths(verdict: Verdict, folders: Folders): Verdict {
  const shortened = shortener(folders);
  // Kept files are what they are.
  const shown = (key: string, value: unknown): unknown =>
    typeof value === "string" && key !== "base64" && value.includes("/") ? shortened(value) : value;
  return JSON.parse(JSON.stringify(verdict), shown);
}

function shortener({ own, environment, home }: Folders): (text: string) => string {
  const named: [folder: string, shown: string][] = [
    ...(environment?.nodeModules ?? []).map(({ below, folder }): [string, string] => [
      folder,
      below === "" ? "node_modules" : `${below}/node_modules`,
    ]),
    ...(environment?.readable ?? []).map((folder): [string, string] => [folder, "packages"]),
    [home, "~"],
  ];
  const beginnings = named.flatMap(([folder, shown]) =>
    /[^/]{2}/.test(folder) ? [{ at: beginning(folder), shown }] : [],
  );
  return (text) => {
    let left = text;
    for (const folder of own)
      left = left.replaceAll(`file://${folder}/`, "").replaceAll(`${folder}/`, "").replaceAll(folder, ".");
    for (const { at, shown } of beginnings) left = left.replace(at, () => shown);
    return left;
  };
}

/** Where a path begins with the folder, and not where it is a part of a longer name. */
const beginning = (folder: string): RegExp =>
  new RegExp(`(?<![\\w.~-])(?:file://)?${folder.replace(/\W/g, "\\$&")}(?![\\w.-])`, "g");
