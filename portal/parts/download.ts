// Downloads a text or bytes as a file.
export function download(name: string, text: string | Blob, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has read the address by the next turn of the event loop.
  setTimeout(() => URL.revokeObjectURL(address), 0);
}
