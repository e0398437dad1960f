// Says whether people can sign in with the providers of the operator. reference: State of the gateway
import type { Instrument } from '../kit/instrument.ts';
import { findUnusableProviders } from './check-providers.ts';
import { enabledProviders } from './providers.ts';

type Needs = Parameters<typeof findUnusableProviders>[0];

export function createSignInInstrument(deps: Needs): () => Promise<Instrument[]> {
  const enabled = enabledProviders(deps.config);
  const kind = enabled.join(', ');

  return async function readSignInInstrument() {
    if (enabled.length === 0)
      return [
        {
          name: 'signIn',
          state: 'off',
          cure: 'Set a provider, so that others can sign in by themselves: IDP_ISSUER_URL, IDP_CLIENT_ID and IDP_CLIENT_SECRET.',
        },
      ];
    const [unusable] = await findUnusableProviders(deps);
    if (unusable === undefined) return [{ name: 'signIn', state: 'good', kind }];
    const problem = `Nobody can sign in with ${unusable.provider}.`;
    return [{ name: 'signIn', state: 'bad', kind, problem, cure: asSentence(unusable.hint) }];
  };
}

const asSentence = (hint: string): string => `${hint.charAt(0).toUpperCase()}${hint.slice(1)}.`;
