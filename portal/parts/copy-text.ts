// Puts text on the clipboard, including text that must be fetched first, and on plain http.
export async function copyText(text: string | Promise<string>): Promise<boolean> {
  try {
    await (typeof text === 'string' ? navigator.clipboard.writeText(text) : writeLater(text));
    return true;
  } catch {
    return copyBySelection(await text);
  }
}

// Safari refuses a write that does not begin inside the click.
async function writeLater(text: Promise<string>): Promise<void> {
  const type = 'text/plain';
  const blob = text.then((ready) => new Blob([ready], { type }));
  await navigator.clipboard.write([new ClipboardItem({ [type]: blob })]);
}

// Pages without https have no clipboard API.
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
