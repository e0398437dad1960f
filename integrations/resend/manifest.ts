// Resend: transactional mail. One key, one address.
import * as z from 'zod';
import { defineIntegration } from '../../src/kit/integration.ts';
import { createRows } from '../../src/kit/rest-rows.ts';
import { logo } from './logo.ts';

const { row } = createRows({ names: 'snake_case' });

const text = z.string();
const some = text.optional();
const texts = z.array(text);
const objects = z.array(z.record(text, z.unknown()));

export const resend = defineIntegration({
  name: 'resend',
  version: '1.0.0',
  displayName: 'Resend',
  description: 'Send mail, and see what became of it',
  categories: ['messaging'],
  logo,
  auth: {
    type: 'apikey',
    fields: [{ key: 'apiKey', label: 'API key', secret: true, required: true, placeholder: 're_…' }],
  },
  api: { base: 'https://api.resend.com', credential: { in: 'bearer' } },
  tools: [
    row('resend_send_email', 'POST /emails', 'Send a mail', () => ({
      from: text,
      to: texts,
      subject: text,
      html: some,
      text: some,
      cc: texts.optional(),
      bcc: texts.optional(),
      replyTo: some,
      scheduledAt: some.describe('ISO 8601, to send it later'),
      tags: objects.optional(),
    })),
    row(
      'resend_send_batch',
      'POST /emails/batch',
      'Send up to 100 mails, each with the fields of resend_send_email as the API spells them',
      () => ({ emails: objects }),
      { body: 'emails' },
    ),
    row('resend_list_emails', 'GET /emails', 'List sent mails, paged by after or before', () => ({
      limit: z.int().default(20),
      after: some,
      before: some,
    })),
    row('resend_get_email', 'GET /emails/{emailId}', 'Get a sent mail and what became of it', () => ({
      emailId: text,
    })),
    row('resend_cancel_email', 'POST /emails/{emailId}/cancel', 'Cancel a mail that is scheduled', () => ({
      emailId: text,
    })),
    row('resend_list_domains', 'GET /domains', 'List all domains mail can be sent from', () => ({})),
    row('resend_get_domain', 'GET /domains/{domainId}', 'Get a domain and its DNS records', () => ({
      domainId: text,
    })),
    row('resend_list_contacts', 'GET /contacts', 'List contacts, paged by after', () => ({
      limit: z.int().default(20),
      after: some,
    })),
    row('resend_create_contact', 'POST /contacts', 'Add a contact', () => ({
      email: text,
      firstName: some,
      lastName: some,
      unsubscribed: z.boolean().optional(),
    })),
  ],
});
