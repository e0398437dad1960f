// Lists words that people use for Resend and its tools, and that their texts lack.
import type { Words } from '../../src/kit/words.ts';

export const words: Words = {
  tools: {
    resend_send_email: 'write: transactional',
    resend_send_batch: 'newsletter bulk many recipients mass people',
    resend_get_email: 'delivered bounced opened status delivery arrived',
    resend_list_domains: 'from sender verify',
    resend_get_domain: 'verify dns verified',
    resend_create_contact: 'subscriber audience add',
  },
};
