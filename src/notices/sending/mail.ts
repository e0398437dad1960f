// Writes one mail about one notice or many. reference: Notices
import type { Config } from '../../config/config.ts';
import type { Digest } from '../../ports/digest.ts';
import { portalPage } from '../../http/portal-page.ts';
import type { Mail } from '../../ports/mail.ts';
import type { NoticePayload } from '../model/payload.ts';
import { describeNotice } from '../model/texts.ts';
import type { Attempt } from './sent.ts';

type Needs = { config: Pick<Config, 'PORTAL_URL'>; mail: Mail; digest: Digest };

export interface Letter {
  to: string;
  /** The ids of the deliveries. */
  ids: readonly string[];
  notices: readonly NoticePayload[];
  /** The address that switches mails of these kinds off. Null in an invitation. */
  off: string | null;
}

export async function sendMail(
  { config, digest, mail }: Needs,
  { to, ids, notices, off }: Letter,
): Promise<Attempt> {
  const told = notices.map((notice) => ({ ...describeNotice(notice), url: notice.url }));
  const [first] = told;
  if (first === undefined) return { kind: 'ok', status: null };
  const body = told.map(({ title, text, url }) => `${told.length === 1 ? '' : `${title}\n`}${text}\n${url}`);
  const ends =
    off === null
      ? []
      : [
          `--\nChoose what you are told: ${portalPage(config, '/settings/notices')}\nNo more mails of ${told.length === 1 ? 'this kind' : 'these kinds'}: ${off}`,
        ];
  const sent = await mail.send({
    to,
    subject: told.length === 1 ? first.title : `${told.length} notices of your tool gateway`,
    text: `${[...body, ...ends].join('\n\n')}\n`,
    // The same for the same notices, so that a repeat can be known.
    messageId: `${digest.sha256(ids.join(' ')).slice(0, 40)}@${new URL(config.PORTAL_URL).hostname}`,
    ...(off === null ? {} : { unsubscribe: off }),
  });
  if (sent.ok) return { kind: 'ok', status: null };
  return {
    kind: 'failed',
    status: null,
    error: sent.message,
    // A server that is down fails everybody's mails, which is no reason to disable one address.
    isDestination: sent.isFinal,
    isFinal: sent.isFinal,
  };
}
