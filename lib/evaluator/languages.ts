/** The languages of the evaluator, in the order of their checks. A new one is a folder and a line here. */
import type { Language } from "./language.ts";
import { cmake } from "./languages/cmake/cmake.ts";
import { css } from "./languages/data/css.ts";
import { html } from "./languages/data/html.ts";
import { json } from "./languages/data/json.ts";
import { toml } from "./languages/data/toml.ts";
import { yaml } from "./languages/data/yaml.ts";
import { otherLanguages } from "./languages/declared/other-languages.ts";
import { go } from "./languages/go/go.ts";
import { java } from "./languages/java/java.ts";
import { javascript } from "./languages/javascript/javascript.ts";
import { php } from "./languages/php/php.ts";
import { python } from "./languages/python/python.ts";
import { ruby } from "./languages/ruby/ruby.ts";
import { rust } from "./languages/rust/rust.ts";
import { shell } from "./languages/shell/shell.ts";

export const LANGUAGES: Language[] = [
  python,
  javascript,
  go,
  rust,
  ruby,
  php,
  cmake,
  java,
  otherLanguages,
  shell,
  json,
  yaml,
  toml,
  html,
  css,
];
