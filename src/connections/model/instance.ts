// Checks and normalises the address of a person's own instance. decision: 027
import type { Ports } from '../../ports/ports.ts';
import type { Egress } from '../../egress/door.ts';
import { EgressFailure } from '../../egress/failure.ts';
import type { Integration } from '../../kit/integration.ts';
import { INSTANCE, readConfigOf } from './config.ts';
import { findFormer } from './wanted-account.ts';

export type ReadInstance =
  /** `away` says why the host could not be found. */
  { ok: true; instanceUrl: string | null; away?: string } | { ok: false; message: string };

/**
 * With `mayBeAway` a host that cannot be found now is taken: what a person enters for it can be stored, and every later call
 * goes through the guard. Addresses that the guard forbids are refused in any case.
 */
export async function readInstance(
  integration: Integration,
  given: string | undefined,
  egress: Pick<Egress, 'locate'>,
  { mayBeAway = false } = {},
): Promise<ReadInstance> {
  const { instance, displayName } = integration;
  const text = given?.trim() ?? '';
  if (instance === undefined) {
    return text === ''
      ? { ok: true, instanceUrl: null }
      : refuse(`${displayName} has no self-hosted instances`);
  }
  if (text === '') {
    if (instance.default !== undefined) return { ok: true, instanceUrl: instance.default };
    return instance.required
      ? refuse(`Missing required field: the address of your ${displayName}, such as ${instance.example}`)
      : { ok: true, instanceUrl: null };
  }
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    return refuse(`That is not the address of a ${displayName}. An address looks like ${instance.example}`);
  if (url.search !== '' || url.hash !== '')
    return refuse('The address of an instance ends before any ? or #');
  const path = trimSlashes(url.pathname);
  if (path !== '' && instance.path !== true)
    return refuse(`The address of a ${displayName} has no path: ${url.origin}`);
  const instanceUrl = `${url.origin}${path}`;
  if (instanceUrl === instance.default) return { ok: true, instanceUrl };
  try {
    // The guard checks the address that will be called.
    await egress.locate(url);
  } catch (error) {
    if (!(error instanceof EgressFailure)) throw error;
    const isAway = error.reason === 'unreachable' || error.reason === 'timeout';
    return mayBeAway && isAway ? { ok: true, instanceUrl, away: error.message } : refuse(error.message);
  }
  return { ok: true, instanceUrl };
}

/** Like `readInstance`, but a person who gives no address keeps the instance of their connection. */
export async function readInstanceAgain(
  { store, egress }: Pick<Ports, 'store'> & { egress: Egress },
  userId: string,
  integration: Integration,
  given: string | undefined,
  account?: string,
): Promise<ReadInstance> {
  const known = given ?? (await findInstance(store, userId, integration, account));
  return readInstance(integration, known, egress);
}

/** The instance of the person's stored connection: of the account with this label, else of the default. */
export async function findInstance(
  store: Ports['store'],
  userId: string,
  { name, instance }: Integration,
  account?: string,
): Promise<string | undefined> {
  if (instance === undefined) return undefined;
  const former = await findFormer(store, userId, name, account);
  return former === null ? undefined : readConfigOf(former)[INSTANCE];
}

/** Reads the text once. The pattern `\/+$` would start again at each of many slashes. */
function trimSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end--;
  return path.slice(0, end);
}

function refuse(message: string): ReadInstance {
  return { ok: false, message };
}

/** Replaces `{instance}` in the template. */
export function fillInstance(template: string, instanceUrl: string | null): string {
  return template.replaceAll('{instance}', instanceUrl ?? '');
}
