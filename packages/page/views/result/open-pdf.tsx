/** Opens a PDF in a tab of its own: browsers show none in a frame without an origin. Its type lets nothing else of it run. */
import { useEffect, useMemo, useRef } from "preact/hooks";
import { useObjectUrl } from "../../browser/object-url.ts";

interface OpenPdfProps {
  /** Undefined: it is not loaded yet. */
  bytes: Uint8Array<ArrayBuffer> | undefined;
  load: () => void;
}

export function OpenPdf({ bytes, load }: OpenPdfProps) {
  const content = useMemo(() => bytes && { bytes, type: "application/pdf" }, [bytes]);
  const url = useObjectUrl(content);
  const link = useRef<HTMLAnchorElement>(null);
  // A browser that blocks the tab leaves the link.
  useEffect(() => {
    link.current?.focus();
    link.current?.click();
  }, [url]);
  if (url === undefined) {
    return (
      <button type="button" onClick={load}>
        Open PDF
      </button>
    );
  }
  return (
    <a ref={link} href={url} target="_blank" rel="noopener noreferrer">
      Open PDF in a new tab
    </a>
  );
}
