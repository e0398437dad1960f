// Sends mail over SMTP with nodemailer, which only the first mail loads. One connection for each mail: there are few.
import type { Mail, MailMessage, MailResult } from '../../src/ports/mail.ts';

export interface SmtpOptions {
  host: string;
  port: number;
  /** Whether the connection is encrypted from its first byte. */
  isSecure: boolean;
  user: string | undefined;
  password: string | undefined;
  from: { name: string; address: string };
  /** Returns an address of the host that may be called. Whether it is the operator's own network decides about plain text. */
  locate: (host: string) => Promise<{ address: string; isOwnNetwork: boolean }>;
  /** Trusts these certificates too. */
  ca?: string;
}

const CONNECT_MS = 10_000;
const SOCKET_MS = 30_000;
/** Nothing in such an address begins another header or another recipient. */
const PLAIN_ADDRESS = /^[^\s@\p{Cc}\p{Cf},;:<>()"\\[\]]+@[^\s@\p{Cc}\p{Cf},;:<>()"\\[\]]+$/u;
const LINE_BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

export function createSmtpMail(options: SmtpOptions): Mail {
  const { host, port, isSecure, user, password, from, locate, ca } = options;

  async function open() {
    const { createTransport } = await import('nodemailer');
    const { address, isOwnNetwork } = await locate(host);
    return createTransport({
      // The name was looked up and checked: the driver connects to no other address.
      host: address,
      port,
      secure: isSecure,
      requireTLS: !isSecure && !isOwnNetwork,
      tls: {
        servername: /^[\d.]+$|:/.test(host) ? '' : host,
        // A relay in the operator's own network often has a certificate that nobody signed, and may have none.
        rejectUnauthorized: isSecure || !isOwnNetwork,
        ...(ca === undefined ? {} : { ca }),
      },
      ...(user === undefined ? {} : { auth: { user, pass: password ?? '' } }),
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      socketTimeout: SOCKET_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  async function send(message: MailMessage): Promise<MailResult> {
    const { to, subject, text, messageId, unsubscribe } = message;
    if (!PLAIN_ADDRESS.test(to))
      return { ok: false, message: 'the address takes no mail of this gateway', isFinal: true };
    const transport = await open();
    try {
      await transport.sendMail({
        from,
        to: { name: '', address: to },
        envelope: { from: from.address, to: [to] },
        subject: subject.replaceAll(LINE_BREAKS, ' '),
        text,
        messageId: `<${messageId}>`,
        headers: {
          // RFC 3834: no program answers it.
          'Auto-Submitted': 'auto-generated',
          ...(unsubscribe === undefined
            ? {}
            : {
                'List-Unsubscribe': `<${unsubscribe}>`,
                'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
              }),
        },
      });
      return { ok: true };
    } finally {
      transport.close();
    }
  }

  return {
    async send(message) {
      try {
        return await send(message);
      } catch (error) {
        return describeFailure(error);
      }
    },
  };
}

/** What a mail server answers may quote its log or the recipient, so people read the code only. */
function describeFailure(error: unknown): MailResult {
  const code = memberOf(error, 'code');
  const status = Number(memberOf(error, 'responseCode'));
  // Only an answer about the recipient is final: any other may be a mistake of the operator.
  const isFinal = code === 'EENVELOPE' && status >= 550 && status <= 553;
  const answered = status > 0 ? ` with ${status}` : '';
  return {
    ok: false,
    message: `the mail server did not take the mail: ${code || 'it failed'}${answered}`,
    isFinal,
  };
}

function memberOf(error: unknown, name: string): string {
  const value: unknown =
    typeof error === 'object' && error !== null ? Object.getOwnPropertyDescriptor(error, name)?.value : '';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
