// Puts text on the clipboard, also text that has to be fetched first, also on plain http.
export async function copyText(text: string | Promise<string>): Promise<boolean> {
  try {
    await (typeof text === 'string' ? navigator.clipboard.writeText(text) : writeLater(text));
    return true;
  } catch {
    return copyBySelection(await text);
  }
}

// The write has to begin inside the click, or Safari refuses it.
async function writeLater(text: Promise<string>): Promise<void> {
  const type = 'text/plain';
  const blob = text.then((ready) => new Blob([ready], { type }));
  await navigator.clipboard.write([new ClipboardItem({ [type]: blob })]);
}

// Addresses without https have no clipboard of their own.
function copyBySelection(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'visually-hidden';
  const holder = document.querySelector('dialog[open]') ?? document.body;
  const focused = document.activeElement;
  holder.append(field);
  field.select();
  const copied = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return copied;
}
