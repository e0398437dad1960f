// Resend: transactional mail. One key, one address.
import * as z from 'zod';
import { defineIntegration } from '../../src/kit/integration.ts';
import { createRows } from '../../src/kit/rest-rows.ts';
import { logo } from './logo.ts';
import { words } from './words.ts';

const { row } = createRows({ names: 'snake_case' });

const text = z.string();
const some = text.optional();
const texts = z.array(text);
const objects = z.array(z.record(text, z.unknown()));

const EMAIL = '`id` from resend_send_email or resend_list_emails';
const page = () => ({
  limit: z.int().default(20).describe('Results per page, at most 100'),
  after: some.describe('`id` of the last result so far, for the next page'),
});

export const resend = defineIntegration({
  name: 'resend',
  version: '1.0.0',
  displayName: 'Resend',
  description: 'Send e-mail and follow its delivery',
  categories: ['messaging'],
  logo,
  auth: {
    type: 'apikey',
    fields: [{ key: 'apiKey', label: 'API key', secret: true, required: true, placeholder: 're_…' }],
  },
  api: {
    base: 'https://api.resend.com',
    credential: { in: 'bearer' },
    idempotency: { header: 'idempotency-key', requests: ['POST /emails', 'POST /emails/batch'] },
  },
  // A key that may only send is refused everywhere else with the status of a wrong key, so there is no probe.
  revoke: { at: 'https://resend.com/api-keys' },
  words,
  tools: [
    row('resend_send_email', 'POST /emails', 'Send a mail now or later. It needs html or text', () => ({
      from: text.describe('Sender at a domain of resend_list_domains, such as Acme <news@acme.com>'),
      to: texts.describe('Addresses of the recipients, at most 50'),
      subject: text.describe('Subject line of the mail'),
      html: some.describe('The mail as HTML'),
      text: some.describe('The mail as plain text'),
      cc: texts.optional().describe('Addresses that get a visible copy'),
      bcc: texts.optional().describe('Addresses that get a hidden copy'),
      replyTo: some.describe('Address for replies; the sender unless given'),
      scheduledAt: some.describe('When to send it, such as 2026-03-01T09:00:00Z; now unless given'),
      tags: objects.optional().describe('Labels for your statistics, each {name, value}'),
    })),
    row(
      'resend_send_batch',
      'POST /emails/batch',
      'Send up to 100 different mails at once',
      () => ({
        emails: objects.describe(
          'Mails with the fields of resend_send_email in snake_case, such as reply_to',
        ),
      }),
      { body: 'emails' },
    ),
    row('resend_list_emails', 'GET /emails', 'List sent mails, in pages by `after` or `before`', () => ({
      ...page(),
      before: some.describe(
        '`id` of the first result so far, for the page before it; not together with after',
      ),
    })),
    row(
      'resend_get_email',
      'GET /emails/{emailId}',
      'Get a sent mail and its last event, such as delivered or bounced',
      () => ({
        emailId: text.describe(EMAIL),
      }),
    ),
    row(
      'resend_cancel_email',
      'POST /emails/{emailId}/cancel',
      'Cancel a mail that is scheduled and not sent yet',
      () => ({
        emailId: text.describe(EMAIL),
      }),
    ),
    row(
      'resend_list_domains',
      'GET /domains',
      'List the domains you send mail from, with their status',
      () => ({}),
    ),
    row('resend_get_domain', 'GET /domains/{domainId}', 'Get a domain and its DNS records', () => ({
      domainId: text.describe('`id` from resend_list_domains'),
    })),
    row('resend_list_contacts', 'GET /contacts', 'List contacts, in pages by `after`', () => page()),
    row('resend_create_contact', 'POST /contacts', 'Add a contact', () => ({
      email: text.describe('Address of the contact, such as ana@example.com'),
      firstName: some.describe('Given name of the person'),
      lastName: some.describe('Family name of the person'),
      unsubscribed: z.boolean().optional().describe('True if the person gets no broadcasts'),
    })),
  ],
});
