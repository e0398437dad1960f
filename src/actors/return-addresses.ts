// Reads the addresses that connect links may lead back to. A link leads to one of them, as it is written. decision: 074
import * as z from 'zod';
import { isLoopbackHost } from '../config/config.ts';
import { RETURN_ADDRESS_CHARACTERS, RETURN_ADDRESSES } from './limits.ts';

const Address = z.string().max(RETURN_ADDRESS_CHARACTERS).refine(isReturnAddress, {
  error: 'must be a whole https address without # and without a password. http is for localhost only',
});

export const ReturnTo = z
  .array(Address)
  .min(1)
  .max(RETURN_ADDRESSES)
  .refine((all) => new Set(all).size === all.length, 'each address once')
  .describe(
    'Where connect links may lead back to. A link names one of them exactly. Agents’ links take the first',
  );

function isReturnAddress(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.href.includes('#') || text.includes('#')) return false;
  if (url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname));
}

export const parseReturnTo = (text: string): readonly string[] => ReturnTo.parse(JSON.parse(text));
