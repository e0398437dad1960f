// Builds a mail in MIME from simple fields. Every body is base64, so nothing in it can look like MIME. RFC
// 2045
import * as z from 'zod';
import { toBase64 } from '../../src/kit/binary.ts';
import { type FileContent, fileReference, readAttachments, type ToolFiles } from '../../src/kit/files.ts';
import { some, text, texts } from '../google/oauth.ts';
import { encodeAddress, encodeText } from './header-words.ts';

const givenAttachment = () =>
  z.strictObject({
    filename: some.describe(
      'File name with its extension, such as plan.pdf; that of the kept file by default',
    ),
    mimeType: text
      .regex(/^[\w.+-]+\/[\w.+-]+$/)
      .optional()
      .describe('Type, such as application/pdf; that of the kept file by default'),
    contentBase64: z.base64().optional().describe('Bytes of the file, in base64'),
    file: fileReference.optional().describe('file:<handle> of a kept file, instead of bytes'),
  });

// Gmail takes mails of 25 MB.
const MAX_ATTACHMENT_BYTES = 25_000_000;

export const readFiles = (
  files: ToolFiles,
  given: readonly z.output<ReturnType<typeof givenAttachment>>[] = [],
): Promise<FileContent[]> =>
  readAttachments(
    files,
    given.map(({ filename, ...content }) => ({ ...content, name: filename })),
    { maxBytes: MAX_ATTACHMENT_BYTES, nameless: 'An attachment needs a filename' },
  );

export const RECIPIENTS = 'Recipients, each an e-mail address or Name <address>';
export const SUBJECT = 'Subject line';
export const BODY = 'Plain text, or HTML with html';

export const mail = () => ({
  cc: texts.optional().describe('Recipients of a copy'),
  bcc: texts.optional().describe('Recipients of a copy whom the others do not see'),
  html: z.boolean().optional().describe('true when the body is HTML'),
  threadId: some.describe('Thread to reply in, from gmail_list_threads; the subject must match that thread'),
  attachments: z.array(givenAttachment()).optional().describe('Files to send along'),
});

export interface Mail {
  to?: readonly string[] | undefined;
  cc?: readonly string[] | undefined;
  bcc?: readonly string[] | undefined;
  subject?: string | undefined;
  body?: string | undefined;
  html?: boolean | undefined;
  attachments?: readonly FileContent[] | undefined;
}

/** The headers that make a mail a reply to another. */
export interface Answered {
  messageId: string;
  references: string;
}

// RFC 2045 §6.7: "=_" never occurs in base64.
const BOUNDARY = '=_a_part_of_the_mail';

/** Returns the message in base64url, as the API expects it. */
export function compose(given: Mail, answered: Answered | null): string {
  const head = [
    ...addresses('To', given.to),
    ...addresses('Cc', given.cc),
    ...addresses('Bcc', given.bcc),
    ...(given.subject === undefined ? [] : [`Subject: ${encodeText(given.subject)}`]),
    ...(answered === null
      ? []
      : [
          `In-Reply-To: ${answered.messageId}`,
          `References: ${fold(`${answered.references} ${answered.messageId}`)}`,
        ]),
    'MIME-Version: 1.0',
  ];
  const files = given.attachments ?? [];
  const lines = [
    ...head,
    ...(files.length === 0
      ? body(given)
      : [
          `Content-Type: multipart/mixed; boundary="${BOUNDARY}"`,
          '',
          ...[body(given), ...files.map(attachment)].flatMap((part) => [`--${BOUNDARY}`, ...part]),
          `--${BOUNDARY}--`,
        ]),
  ];
  const bytes = new TextEncoder().encode(`${lines.join('\r\n')}\r\n`);
  return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_');
}

function addresses(name: string, mailboxes: readonly string[] = []): string[] {
  return mailboxes.length === 0 ? [] : [`${name}: ${mailboxes.map(encodeAddress).join(',\r\n ')}`];
}

function body({ body: content = '', html = false }: Mail): string[] {
  // RFC 2046 §4.1.1: a line of text ends with CRLF, whatever ended it in the argument
  const bytes = new TextEncoder().encode(content.replace(/\r\n|\r|\n/g, '\r\n'));
  return [
    `Content-Type: text/${html ? 'html' : 'plain'}; charset=UTF-8`,
    'Content-Transfer-Encoding: base64',
    '',
    wrap(toBase64(bytes)),
  ];
}

function attachment({ name: filename, mimeType, bytes }: FileContent): string[] {
  const name = filename.replaceAll('"', "'");
  return [
    // Gives the name twice: readers that do not know RFC 2231 use the encoded words.
    `Content-Type: ${mimeType};\r\n name="${encodeText(name)}"`,
    `Content-Disposition: attachment;\r\n ${disposition(name)}`,
    'Content-Transfer-Encoding: base64',
    '',
    wrap(toBase64(bytes)),
  ];
}

// RFC 2231 §4
function disposition(name: string): string {
  if (/^[ -~]*$/.test(name) && !name.includes('\\')) return `filename="${name}"`;
  const escaped = encodeURIComponent(name).replace(
    /['()*]/g,
    (unit) => `%${unit.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `filename*=UTF-8''${escaped}`;
}

function wrap(base64: string): string {
  return base64.replace(/.{76}(?=.)/g, '$&\r\n');
}

function fold(words: string): string {
  return words.trim().split(/\s+/).join('\r\n ');
}
