/** The kinds of project that are known. Adding one is a file and a line. */
import type { Kind } from "./kind.ts";
import { css } from "./languages/css.ts";
import { go } from "./languages/go.ts";
import { html } from "./languages/html.ts";
import { javascript } from "./languages/javascript.ts";
import { json } from "./languages/json.ts";
import { otherLanguages } from "./languages/other-languages.ts";
import { python } from "./languages/python.ts";
import { shell } from "./languages/shell.ts";
import { toml } from "./languages/toml.ts";
import { yaml } from "./languages/yaml.ts";

export const KINDS: Kind[] = [python, javascript, go, otherLanguages, shell, json, yaml, toml, html, css];
