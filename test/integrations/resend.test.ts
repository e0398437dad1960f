// Tests the request of each tool of Resend. test/integrations/resend-emulated.test.ts runs them against an emulator.
import { expect, it } from 'vitest';
import { resend } from '../../integrations/resend/manifest.ts';
import { sent } from '../support/capture.ts';

it.each([
  [
    'resend_send_email',
    { from: 'a@x', to: ['b@x'], subject: 'Grüße', replyTo: 'c@x', scheduledAt: 's' },
    'POST /emails {"from":"a@x","to":["b@x"],"subject":"Grüße","reply_to":"c@x","scheduled_at":"s"}',
  ],
  ['resend_send_batch', { emails: [{ from: 'a' }] }, 'POST /emails/batch [{"from":"a"}]'],
  ['resend_list_emails', { after: 'x' }, 'GET /emails?limit=20&after=x'],
  ['resend_get_email', { emailId: 'e' }, 'GET /emails/e'],
  ['resend_cancel_email', { emailId: 'e' }, 'POST /emails/e/cancel {}'],
  ['resend_list_domains', {}, 'GET /domains'],
  ['resend_get_domain', { domainId: 'd' }, 'GET /domains/d'],
  ['resend_list_contacts', {}, 'GET /contacts?limit=20'],
  [
    'resend_create_contact',
    { email: 'a@x', firstName: 'A' },
    'POST /contacts {"email":"a@x","first_name":"A"}',
  ],
])('%s sends its request', async (name, args, request) => {
  expect(await sent(resend, name, args)).toEqual([request]);
});
