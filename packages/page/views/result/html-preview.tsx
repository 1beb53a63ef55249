/** A book as it is delivered, in a frame without scripts, forms, windows and origin: what a model wrote does nothing there. */
import { useMemo } from "preact/hooks";

export function HtmlPreview({ bytes }: { bytes: Uint8Array<ArrayBuffer> }) {
  const text = useMemo(() => withOwnPlaces(new TextDecoder().decode(bytes)), [bytes]);
  return <iframe class="preview" title="The book as HTML" sandbox="" srcdoc={text} />;
}

/** In such a frame "#chapter" is a place in the page around it. */
const withOwnPlaces = (html: string): string => html.replaceAll('href="#', 'href="about:srcdoc#');
