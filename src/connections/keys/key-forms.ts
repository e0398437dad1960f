// Connects an integration with an API key or a token that somebody types in. reference: API key form
import type { Egress } from '../../egress/door.ts';
import { HttpError } from '../../http/errors.ts';
import type { Ports } from '../../ports/ports.ts';
import { EVERYONE } from '../../ports/store.ts';
import { formFields, readValues } from './api-key.ts';
import type { Checks, NewCredential } from '../model/checks.ts';
import { belongsTo, configAt, INSTANCE, markOf } from '../model/config.ts';
import { findInstance, readInstance } from '../model/instance.ts';
import type { KeyForms } from '../model/key-forms.ts';
import { requireKeyForm } from '../model/require-integration.ts';
import type { ClientAnswer, ClientTokens } from '../model/client-tokens.ts';
import { accountIn, stateAfter } from '../model/state.ts';
import type { NewConnection, Vault } from '../model/vault.ts';
import { exchangeOf, keyFormOf } from '../model/ways.ts';
import { howToName, mustBeNamed } from '../model/wanted-account.ts';

export type KeyFormNeeds = Pick<Ports, 'clock' | 'random' | 'store'> & {
  checks: Checks;
  clientTokens: ClientTokens;
  egress: Egress;
  vault: Vault;
};

type Credential = NewConnection & Required<Pick<NewConnection, 'state'>>;

export function createKeyForms({
  checks,
  clientTokens,
  clock,
  egress,
  random,
  store,
  vault,
}: KeyFormNeeds): KeyForms {
  /** `away` says why the person's instance could not be asked. */
  async function checkKey(key: NewCredential, away: string | undefined): Promise<Credential> {
    const checked = await checks.before(key);
    if (!checked.ok) throw badRequest(checked.reason);
    const { state } = checked;
    return {
      accessToken: key.text,
      config: key.config,
      state:
        away === undefined || key.integration.probe !== undefined
          ? state
          : { ...state, cause: `${away}. The first call will show whether the key works.` },
    };
  }

  /** The secret is kept beside the token that it brought, and brings the next one. */
  function grantedOr(answer: ClientAnswer, secret: string): Credential {
    switch (answer.kind) {
      case 'refused':
        throw badRequest(answer.message);
      case 'later':
        throw new HttpError(503, { error: `${answer.message}. Try again later.` });
      case 'granted': {
        const state = stateAfter(null, { kind: 'ok', account: null }, clock.now());
        return { ...answer.grant, refreshToken: secret, state };
      }
    }
  }

  return {
    fields(integration) {
      const form = keyFormOf(integration);
      return form === null ? null : formFields(integration, form.block, undefined);
    },

    async save({ userId, owner, integration: wanted, values, account }) {
      const { integration, way, block } = requireKeyForm(wanted);
      const seen = await store.connections.of(owner, integration.name);
      const known = await findInstance(store, owner, integration, account);
      const read = readValues(integration, block, values, known);
      if (!read.ok) throw new HttpError(read.status, { error: read.message });
      // An instance for an integration without instances is refused with a text that names the integration.
      const given = read.config[INSTANCE] ?? values[INSTANCE];
      const instance = await readInstance(integration, given, egress, { mayBeAway: true });
      if (!instance.ok) throw badRequest(instance.message);
      const kept = { ...read.config, ...configAt(instance.instanceUrl), ...markOf(integration, random) };
      const exchange = exchangeOf(integration);
      const credential: Credential =
        exchange === undefined
          ? await checkKey(
              { userId: owner, integration, way, text: read.secret, config: kept },
              instance.away,
            )
          : grantedOr(await clientTokens.first(integration, exchange, kept, read.secret), read.secret);
      const { state } = credential;
      const mine = seen.filter((row) => belongsTo(row, integration));
      if (account === undefined && owner !== EVERYONE && mustBeNamed(mine, state))
        throw badRequest(howToName(integration, mine));
      if (owner === EVERYONE) await vault.saveForTeam(userId, integration.name, { ...credential, way }, seen);
      else await vault.replace(seen, userId, integration.name, { ...credential, way, account });
      // The tools of an import have been listed with the credential by now.
      const seenNow = integration.imported && (await store.connections.of(owner, integration.name)).at(-1);
      // A credential that was not refused is one or the other.
      const status = (seenNow ?? state).status === 'ok' ? 'ok' : 'unverified';
      return { status, ...accountIn(state) };
    },
  };
}

function badRequest(error: string): HttpError {
  return new HttpError(400, { error });
}
