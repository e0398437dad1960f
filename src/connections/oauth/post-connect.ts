// Asks a provider once after connecting for values that later calls need, such as the account or the site.
import type { Egress } from '../../egress/door.ts';
import { EgressFailure } from '../../egress/failure.ts';
import { readJson } from '../../egress/json.ts';
import { resolvePointer } from '../../json/pointer.ts';
import type { OAuth2Block, PostConnect } from '../../kit/manifest.ts';
import type { ConnectionConfig } from '../model/config.ts';

export type LookedUp =
  | { ok: true; config: ConnectionConfig; account?: string }
  | { ok: false; reason: string };

export async function lookUp(
  egress: Pick<Egress, 'fetch'>,
  { postConnect }: OAuth2Block,
  accessToken: string,
  instanceUrl: string | null,
): Promise<LookedUp> {
  if (postConnect === undefined) return { ok: true, config: {} };
  const { host } = new URL(postConnect.url);
  try {
    const response = await egress.fetch(postConnect.url, {
      headers: { authorization: `Bearer ${accessToken}`, accept: 'application/json' },
    });
    if (!response.ok) return { ok: false, reason: `${host} answered ${response.status}` };
    return pickFrom(await readJson(response, host), postConnect, instanceUrl);
  } catch (error) {
    if (error instanceof EgressFailure) return { ok: false, reason: error.message };
    throw error;
  }
}

function pickFrom(answer: unknown, postConnect: PostConnect, instanceUrl: string | null): LookedUp {
  const { item, pick, account } = postConnect;
  const root = item === undefined ? answer : findItem(answer, item, instanceUrl);
  if (root === undefined)
    return {
      ok: false,
      reason: `${instanceUrl ?? 'the required resource'} is not part of the granted access`,
    };
  const config: ConnectionConfig = {};
  for (const [key, pointer] of Object.entries(pick)) {
    const value = resolvePointer(root, pointer)?.value;
    if (typeof value !== 'string' || value === '') return { ok: false, reason: `its response has no ${key}` };
    config[key] = value;
  }
  const named = account === undefined ? undefined : resolvePointer(root, account)?.value;
  return { ok: true, config, ...(typeof named === 'string' ? { account: named } : {}) };
}

function findItem(
  answer: unknown,
  { grants, instance }: NonNullable<PostConnect['item']>,
  instanceUrl: string | null,
): unknown {
  const items: readonly unknown[] = Array.isArray(answer) ? answer : [];
  return items.find((each) => {
    const held = resolvePointer(each, grants.at)?.value;
    const fits = instanceUrl === null || resolvePointer(each, instance)?.value === instanceUrl;
    return fits && Array.isArray(held) && held.includes(grants.holds);
  });
}
