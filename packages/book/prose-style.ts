/** How text looks in both forms of a book. */

export const proseStyle = `h1, h2, h3, h4, h5, h6 {
  font-weight: 600;
  line-height: 1.25;
  hyphens: manual;
  break-after: avoid;
  text-wrap: balance;
}
p {
  margin: 0;
  hyphens: auto;
  orphans: 2;
  widows: 2;
}
p + p { text-indent: 1.4em; }
blockquote {
  margin: 1.2em 0 1.2em 1.4em;
  font-style: italic;
}
blockquote p { text-indent: 0; }
blockquote em { font-style: normal; }
ul, ol {
  margin: 0.9em 0;
  padding-inline-start: 1.6em;
}
li > ul, li > ol { margin: 0.2em 0; }
li > p { text-indent: 0; }
li > p + p, li + li > p:first-child { margin-top: 0.5em; }
figure { margin: 1.2em 0; }
hr {
  margin: 1.8em 0;
  border: 0;
  text-align: center;
  color: inherit;
  background: none;
}
hr::before {
  content: "*\\00a0\\00a0\\00a0*\\00a0\\00a0\\00a0*";
}
code, pre, kbd {
  font-family: ui-monospace, "SFMono-Regular", Menlo, Consolas, "DejaVu Sans Mono", monospace;
  font-size: 0.85em;
  hyphens: none;
}
pre {
  margin: 1.2em 0;
  line-height: 1.45;
  white-space: pre-wrap;
  overflow-wrap: anywhere;
}
pre code { font-size: 1em; }
.table { margin: 1.2em 0; overflow-x: auto; }
table {
  border-collapse: collapse;
  font-size: 0.92em;
  line-height: 1.4;
}
th, td {
  padding: 0.35em 0.8em;
  text-align: start;
  vertical-align: top;
}
th.center, td.center { text-align: center; }
th.right, td.right { text-align: right; }
th.left, td.left { text-align: left; }
img {
  display: block;
  max-width: 100%;
  height: auto;
  margin: 0 auto;
}
sup, sub { line-height: 0; }
.note { font-size: 0.7em; }
.notes {
  margin-top: 2.4em;
  font-size: 0.88em;
}
.notes aside { margin: 0.4em 0; }
.notes p { text-indent: 0; }
`;
