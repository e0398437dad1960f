// Declares what each step towards a sign-in returns: what it found, or a sentence for the person.
export type Found<T> = { ok: true; value: T } | { ok: false; message: string };

export const refuse = (message: string): { ok: false; message: string } => ({ ok: false, message });
