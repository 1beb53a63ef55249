/** The style of the one-page form: a book page in the middle of the window, by day and by night. */
import { proseStyle } from "./prose-style.ts";

const COLOURS = `:root {
  color-scheme: light dark;
  --paper: #fdfbf7;
  --ink: #26221c;
  --quiet: #6f675b;
  --line: #ddd5c7;
  --shade: #f4efe5;
  --link: #7a3b12;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #181613;
    --ink: #d9d2c5;
    --quiet: #9a9183;
    --line: #3b362e;
    --shade: #211e1a;
    --link: #e0a878;
  }
}
`;

const PAGE = `html {
  background: var(--paper);
  color: var(--ink);
  font: 1.125rem/1.6 "Iowan Old Style", "Palatino Linotype", Palatino, "URW Palladio L", P052, Charter, "Bitstream Charter", Georgia, "Noto Serif", "DejaVu Serif", serif;
  font-variant-numeric: oldstyle-nums;
  text-rendering: optimizeLegibility;
  -webkit-text-size-adjust: 100%;
}
body {
  max-width: 34em;
  margin: 0 auto;
  padding: 0 1.4rem 6rem;
  overflow-wrap: break-word;
}
p { text-wrap: pretty; }
a {
  color: var(--link);
  text-decoration-thickness: 1px;
  text-underline-offset: 0.15em;
}
body > header {
  padding: clamp(4rem, 18vh, 11rem) 0 clamp(3rem, 12vh, 7rem);
  text-align: center;
}
.cover {
  width: min(16rem, 70%);
  height: auto;
  margin-bottom: 3rem;
}
h1 {
  margin: 0;
  font-size: 2.5rem;
  line-height: 1.15;
}
h2 { font-size: 1.7rem; }
h3 { margin: 2em 0 0.7em; font-size: 1.25rem; }
h4, h5, h6 { margin: 1.6em 0 0.5em; font-size: 1.05rem; }
table, code { font-variant-numeric: lining-nums; }
th, td { border-bottom: 1px solid var(--line); }
pre, :not(pre) > code, kbd { background: var(--shade); border-radius: 0.25em; }
pre { padding: 0.9em 1.1em; }
:not(pre) > code, kbd { padding: 0.1em 0.3em; }
hr, .missing, .notes { color: var(--quiet); }
.notes { border-top: 1px solid var(--line); padding-top: 1em; }
`;

const CONTENTS = `nav h2 {
  margin: 0 0 0.8em;
  font-size: 1rem;
  font-weight: 400;
  color: var(--quiet);
  letter-spacing: 0.08em;
  text-transform: uppercase;
}
nav ol { margin: 0; padding: 0; list-style: none; }
nav ol ol { padding-inline-start: 1.4em; }
nav a {
  display: block;
  padding: 0.35em 0;
  color: inherit;
  text-decoration: none;
}
nav > ol > li { border-top: 1px solid var(--line); }
nav a:hover, nav a:focus-visible { color: var(--link); }
.chapter { padding-top: 7rem; }
.chapter > h2:first-child { margin: 0 0 1.6em; }
.to-contents {
  position: fixed;
  inset-block-end: 1rem;
  inset-inline-end: 1rem;
  width: 2.2rem;
  line-height: 2.2rem;
  text-align: center;
  text-decoration: none;
  color: var(--quiet);
  background: var(--shade);
  border-radius: 50%;
}
`;

const PRINT = `@media print {
  :root { --paper: #fff; --ink: #000; --quiet: #444; --line: #999; --shade: #fff; --link: #000; }
  html { font-size: 11pt; }
  body { max-width: none; padding: 0; }
  nav, .chapter { break-before: page; padding-top: 0; }
  .to-contents { display: none; }
}
`;

const pageStyle = COLOURS + proseStyle + PAGE + CONTENTS + PRINT;

/** As the document has it: a page that frames a book allows this style alone, by its digest. */
export const styleText = `\n${pageStyle}`;
