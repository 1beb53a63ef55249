/** Hands something to the browser to be kept as a file; nothing of it is opened. */

export function save(name: string, content: string | Uint8Array<ArrayBuffer>, type = "application/octet-stream"): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // It is read after this.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
