// Lists words that people use for Stripe and its tools, and that their texts lack.
import type { Words } from '../../src/kit/words.ts';

export const words: Words = {
  spoken: 'payment billing',
  tools: {
    stripe_search: 'find: client buyer payment charge order',
    stripe_list_payments: 'charges transactions paid revenue failed newest latest',
    stripe_get_payment: 'charge transaction declined failed receipt card status',
    stripe_create_refund: 'give back return: money charge order',
    stripe_get_balance: 'money available pending account payout',
    stripe_list_invoices: 'bills unpaid open overdue',
    stripe_create_invoice: 'bill charge: client',
    stripe_list_subscriptions: 'subscribers recurring plans churn active',
    stripe_update_subscription: 'upgrade downgrade cancel: plan seats quantity price period',
    stripe_cancel_subscription: 'end stop: plan',
    stripe_create_payment_link: 'checkout url page pay',
  },
};
