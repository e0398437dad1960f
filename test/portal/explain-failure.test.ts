// Tests that a failure of a service is one sentence with a next step.
import { expect, it } from 'vitest';
import { explainFailure } from '../../portal/parts/explain-failure.ts';

it.each([
  ['400: not_in_channel', 'The bot is not in this channel. Invite it there'],
  ['422: Validation Failed [{"resource":"Issue"}]', 'Acme did not accept the arguments'],
  ['500: internal: NullPointerException', 'Acme had an internal error. Try again'],
  ['403: API rate limit exceeded for 127.0.0.1', 'Acme takes no more calls'],
  ['403: Resource not accessible', 'Your Acme account may not do this'],
  ['401: Bad credentials', 'Acme no longer accepts your account'],
  ['404: Not Found', 'Acme found nothing'],
  ['APPROVAL_REQUIRED', 'It did not run: a rule asks a person first'],
  ['NOT_CONNECTED', 'Acme was not connected.'],
  ['BLOCKED', 'It did not run: a rule or a limit of the agent blocks it'],
  ['Cancelled by the caller', 'It was stopped before it ended'],
  ['AMBIGUOUS_ACCOUNT', 'did not say which Acme account. Set a default'],
  ['UNKNOWN_ACCOUNT', 'You have no Acme account of that name'],
  ['The script threw at line 3: 500: internal: NullPointerException', 'The script stopped at line 3. Look'],
])('%s says what to do', (error, said) => {
  const { what, next } = explainFailure(error, 'Acme') ?? { what: '', next: '' };
  expect(`${what} ${next}`).toContain(said);
});

it('leaves alone what explains itself', () => {
  expect(explainFailure('Invalid arguments for time_now', 'Acme')).toBeNull();
  expect(explainFailure('The script threw at line 2: Invalid arguments', 'Acme')).toBeNull();
});
