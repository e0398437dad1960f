// Makes the links of mails that switch off mails of their kinds. They open nothing else, and nobody can make one. reference: Notices
import * as z from 'zod';
import type { Config } from '../../config/config.ts';
import type { Place, Seal } from '../../crypto/seal.ts';
import { parseJson } from '../../json/json.ts';
import { NOTICE_KINDS, type NoticeKind } from '../../kit/notice.ts';

export const OFF_PATH = '/notices/off';
const PLACE: Place = ['', '', 'notices off'];
const MAX_TOKEN_CHARACTERS = 1_000;

const Off = z.object({ user: z.string(), destination: z.string(), kinds: z.array(z.enum(NOTICE_KINDS)) });
export type Off = z.infer<typeof Off>;

export async function offLink(
  { config, seal }: { config: Pick<Config, 'SERVER_PUBLIC_URL'>; seal: Seal },
  off: Off,
): Promise<string> {
  const token = await seal.seal(JSON.stringify(off), PLACE);
  return `${config.SERVER_PUBLIC_URL}${OFF_PATH}?token=${encodeURIComponent(token)}`;
}

export async function readOff(seal: Seal, token: string): Promise<Off | null> {
  if (token.length > MAX_TOKEN_CHARACTERS) return null;
  const text = await seal.open(token, PLACE);
  const parsed = text === null ? null : Off.safeParse(parseJson(text));
  return parsed?.success === true ? parsed.data : null;
}

const Muted = z.array(z.enum(NOTICE_KINDS));

export function parseMuted(text: string): readonly NoticeKind[] {
  const parsed = Muted.safeParse(parseJson(text));
  return parsed.success ? parsed.data : [];
}

/** In the order of the kinds, each once. */
export const writeMuted = (kinds: readonly NoticeKind[]): string =>
  JSON.stringify(NOTICE_KINDS.filter((kind) => kinds.includes(kind)));
