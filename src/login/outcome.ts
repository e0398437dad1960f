// Lists how signing in can fail, and turns each reason into a sentence for the person.
import type { SignInProvider } from '../ports/store.ts';

export type LoginFailure =
  | { reason: 'not-enabled' | 'no-secret'; provider: SignInProvider }
  | { reason: 'provider-error' | 'code-refused' | 'client-refused'; code: string }
  /** `bad-state` means unknown, used, expired, or of another provider. */
  | { reason: 'no-code' | 'bad-state' | 'unreachable' | 'misbehaving' | IdTokenReason | AccountReason };

/** The reasons for refusing an ID token. */
export type IdTokenReason =
  | 'bad-id-token'
  | 'wrong-issuer'
  | 'wrong-audience'
  | 'wrong-nonce'
  | 'expired'
  | 'no-email'
  | 'unverified-email';

/** The reasons for opening no account to a proven identity. */
export type AccountReason =
  | 'not-allowed'
  | 'not-invited'
  | 'not-in-group'
  | 'no-groups'
  | 'disabled'
  | 'deleting'
  | 'other-subject'
  | 'unverified-email';

const LABEL: Record<SignInProvider, string> = { hosted: 'Hosted', idp: 'Idp' };
const AGAIN = 'Please start again.';
const INVITE = 'Please ask the operator of this gateway to let you in.';
const OPERATOR = 'Please tell the operator of this gateway.';

export function explainLogin(failure: LoginFailure): string {
  switch (failure.reason) {
    case 'not-enabled':
      return `${LABEL[failure.provider]} OAuth not configured: this gateway does not sign people in with this provider.`;
    case 'no-secret':
      return `${LABEL[failure.provider]} OAuth not configured: the gateway has no client secret for this provider. ${OPERATOR}`;
    case 'provider-error':
      return `The sign-in provider did not let you in (${failure.code}). ${AGAIN}`;
    case 'no-code':
      return `The sign-in provider sent you back without a code. ${AGAIN}`;
    case 'bad-state':
      return `This sign-in did not start here, took too long, or was already used. ${AGAIN}`;
    case 'unreachable':
      return 'The sign-in provider cannot be reached right now. Please try again in a moment.';
    case 'misbehaving':
      return `The sign-in provider sent a response that cannot be understood. ${OPERATOR}`;
    case 'code-refused':
      return `The sign-in provider did not accept the code it had sent. ${AGAIN}`;
    case 'client-refused':
      return `The sign-in provider does not accept the client ID and secret of this gateway (${failure.code}). ${OPERATOR}`;
    case 'bad-id-token':
      return `The proof of identity from the sign-in provider could not be verified. ${AGAIN}`;
    case 'wrong-issuer':
      return `The proof of identity does not come from the sign-in provider. ${OPERATOR}`;
    case 'wrong-audience':
      return `The proof of identity was issued for another application. ${OPERATOR}`;
    case 'wrong-nonce':
      return `The proof of identity belongs to another sign-in. ${AGAIN}`;
    case 'expired':
      return `The proof of identity has expired. ${AGAIN}`;
    case 'no-email':
      return 'The sign-in provider did not send your e-mail address, which an account needs.';
    case 'unverified-email':
      return 'Your e-mail address is not verified at the sign-in provider. Verify it there and start again.';
    case 'not-allowed':
      return `Your e-mail address is not on the list of people who may sign in here. ${INVITE}`;
    case 'not-invited':
      return `This gateway lets in only people who already have an account. ${INVITE}`;
    case 'not-in-group':
      return `Your sign-in provider does not list you in a group that may use this gateway. ${INVITE}`;
    case 'no-groups':
      return `Your sign-in provider did not say which groups you are in, so this sign-in is refused. Nothing of your account has changed. ${OPERATOR}`;
    case 'disabled':
      return 'Your account at this gateway is disabled. Nothing of it is lost. Please ask an administrator of this gateway to enable it.';
    case 'deleting':
      return 'Your account at this gateway is being deleted. Please try again later if you want a new one.';
    case 'other-subject':
      return `Your e-mail address belongs to another account of the same sign-in provider here. ${OPERATOR}`;
  }
}

const SHUT_OUT: readonly LoginFailure['reason'][] = [
  'not-allowed',
  'not-invited',
  'not-in-group',
  'no-groups',
  'disabled',
  'deleting',
];

/** A person who proved who they are and is not let in gets 403. */
export const loginStatus = ({ reason }: LoginFailure): 400 | 403 => (SHUT_OUT.includes(reason) ? 403 : 400);

/** RFC 6749 §4.1.2.1: error codes are words; any other text is not shown. */
export const errorCode = (error: string): string => (/^[\w.-]{1,64}$/.test(error) ? error : 'unknown error');
