// Declares how e-mail is sent.
export interface MailMessage {
  /** A bare address. */
  to: string;
  subject: string;
  text: string;
  /** Without angle brackets. The same for each attempt. */
  messageId: string;
  /** The address that ends mails of this kind, by RFC 8058. */
  unsubscribe?: string | undefined;
}

export type MailResult =
  | { ok: true }
  | { ok: false; message: string; /** Another attempt would fail too. */ isFinal: boolean };

export interface Mail {
  send(message: MailMessage): Promise<MailResult>;
}
