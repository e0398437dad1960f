// Writes a notice as an incoming webhook of Slack takes it. Mattermost, Rocket.Chat and Discord (with /slack) take the same.
import type { Egress } from '../../egress/door.ts';
import type { NoticeText } from '../model/texts.ts';
import { post } from './post.ts';
import type { Attempt } from './sent.ts';

/** Slack answers 404 or 410 for a webhook that was removed, and for one whose channel was. */
const GONE = [404, 410];

export function sendSlack(
  egress: Pick<Egress, 'fetch'>,
  url: string,
  { title, text }: NoticeText,
  page: string,
): Promise<Attempt> {
  const message = `*${escapeText(title)}*\n${escapeText(text)}\n<${escapeText(page)}|Open>`;
  // Names are shown as they are: without links, and nobody is called.
  const body = JSON.stringify({ text: message, unfurl_links: false, unfurl_media: false });
  return post(egress, { url, headers: { 'content-type': 'application/json' }, body }, GONE);
}

/** These three have a meaning in a text of Slack. */
const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
