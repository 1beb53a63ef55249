#!/usr/bin/env node
import { greeting } from "../src/greetings.js";
import { languages } from "../src/languages.js";

const [name, language = languages[0]] = process.argv.slice(2);
if (name === undefined) {
  console.error("Usage: greetings <name> [language]");
  process.exitCode = 2;
} else {
  try {
    console.log(await greeting(name, language));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
