// Decides whether a sign-in asks the provider to let the person choose the account, and reads an error about that. decision: 021
import type { ProviderMetadata } from './discovery.ts';

// They document the value and publish no list of their prompts:
// https://developers.google.com/identity/openid-connect/openid-connect#authenticationuriparameters
// https://learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow#request-an-authorization-code
const CHOOSERS = [
  'accounts.google.com',
  'login.microsoftonline.com',
  'login.microsoftonline.us',
  'login.partner.microsoftonline.cn',
];

/** A strict provider refuses a request with a prompt that it does not know, so silence means no. */
export const canChooseAccount = ({ issuer, prompt_values_supported: prompts }: ProviderMetadata): boolean =>
  prompts === undefined ? CHOOSERS.includes(new URL(issuer).host) : prompts.includes('select_account');

// OpenID Connect Core §3.1.2.6
const UNANSWERED = [
  'interaction_required',
  'login_required',
  'account_selection_required',
  'consent_required',
];

/** Whether a provider refused a request because of its prompt. */
export function isAboutPrompt(error: string | undefined, description: string | undefined): boolean {
  if (error === undefined || error === 'access_denied') return false;
  return UNANSWERED.includes(error) || /prompt|select_account/i.test(description ?? '');
}
