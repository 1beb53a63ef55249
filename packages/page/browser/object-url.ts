/** A URL of this tab for bytes that a frame or another tab shows: released with the element that uses it. */
import { useEffect, useState } from "preact/hooks";

export interface TypedBytes {
  bytes: Uint8Array<ArrayBuffer>;
  type: string;
}

export function useObjectUrl(content: TypedBytes | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!content) return;
    const made = URL.createObjectURL(new Blob([content.bytes], { type: content.type }));
    setUrl(made);
    return () => {
      URL.revokeObjectURL(made);
      setUrl(undefined);
    };
  }, [content]);
  return url;
}
