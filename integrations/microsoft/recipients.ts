// Reads and writes people with addresses: `Name <address>`, or the address alone.
import * as z from 'zod';

export const Recipient = z.object({
  emailAddress: z.object({ name: z.string().nullish(), address: z.string().nullish() }),
});
export type Recipient = z.infer<typeof Recipient>;

export function toRecipient(mailbox: string): { emailAddress: { address: string; name?: string } } {
  const [, name = '', inBrackets] = /^([^<>]*)<([^<>]*)>\s*$/.exec(mailbox) ?? [];
  const address = (inBrackets ?? mailbox).trim();
  if (!/^[^\s@<>,;]+@[^\s@<>,;]+$/.test(address)) throw new Error(`"${mailbox}" is no mail address`);
  const plain = name.trim().replace(/^"(.*)"$/, '$1');
  return { emailAddress: plain === '' ? { address } : { address, name: plain } };
}

export const toRecipients = (mailboxes: readonly string[] | undefined) => mailboxes?.map(toRecipient);

export function showRecipient(recipient: Recipient | null | undefined): string | undefined {
  const { name, address } = recipient?.emailAddress ?? {};
  if (address === undefined || address === null) return name ?? undefined;
  return name === undefined || name === null || name === address ? address : `${name} <${address}>`;
}

export const RECIPIENT = 'e-mail address or Name <address>';
