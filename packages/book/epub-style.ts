/** The style sheet of an EPUB. Type, size and colours are the reader's choice, so it names none. */
import { proseStyle } from "./prose-style.ts";

export const epubStyle = `${proseStyle}h1 {
  margin: 2.4em 0 1.4em;
  font-size: 1.6em;
}
h2 {
  margin: 1.8em 0 0.7em;
  font-size: 1.25em;
}
h3, h4, h5, h6 {
  margin: 1.5em 0 0.5em;
  font-size: 1.05em;
}
p { line-height: 1.45; }
pre, th, td { border: 1px solid; }
pre { padding: 0.6em 0.8em; }
nav ol {
  padding: 0;
  list-style: none;
}
nav ol ol { padding-inline-start: 1.4em; }
nav li { margin: 0.5em 0; }
.cover { margin: 0; }
.cover img { height: 95vh; }
.title-page { text-align: center; }
.title-page h1 {
  margin-top: 30%;
  font-size: 2em;
}
`;
