/** The kinds of project that are known. Adding one is a file and a line. */
import type { Kind } from "./kind.ts";
import { css } from "./kinds/css.ts";
import { go } from "./kinds/go.ts";
import { html } from "./kinds/html.ts";
import { javascript } from "./kinds/javascript.ts";
import { json } from "./kinds/json.ts";
import { otherLanguages } from "./kinds/other-languages.ts";
import { python } from "./kinds/python.ts";
import { shell } from "./kinds/shell.ts";
import { toml } from "./kinds/toml.ts";
import { yaml } from "./kinds/yaml.ts";

export const KINDS: Kind[] = [python, javascript, go, otherLanguages, shell, json, yaml, toml, html, css];
