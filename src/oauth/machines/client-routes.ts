// Serves the clients of machines to administrators, who make them in a portal session. reference: Client credentials; decision: 054
import { Hono } from 'hono';
import { type AdministratorNeeds, requireAdministrator } from '../../auth/administrators.ts';
import { loadUser, type PortalEnv, requirePortalUser } from '../../auth/portal-user.ts';
import { toHex } from '../../crypto/encoding.ts';
import { HttpError } from '../../http/errors.ts';
import { isId } from '../../http/id.ts';
import type { Success } from '../../http/operation.ts';
import type { Identify } from '../../kit/actor.ts';
import { readForm } from '../../kit/read-form.ts';
import type { MachineClient } from '../../ports/machines.ts';
import type { Ports } from '../../ports/ports.ts';
import { createBoundKeys } from './bound-keys.ts';
import { MACHINE_CLIENTS_PER_PERSON } from './limits.ts';
import {
  type BoundKey,
  MachineClientForm,
  type MachineClientList,
  type NewMachineClient,
  type ShownMachineClient,
} from './operations.ts';
import { readPublicKey } from './public-key.ts';

type Needs = Pick<Ports, 'clock' | 'digest' | 'random' | 'store'> &
  AdministratorNeeds & { identify: Identify };

const PREFIX = 'mcs_';

export function createMachineClientRoutes(deps: Needs): Hono<PortalEnv> {
  const { clock, digest, identify, random, store } = deps;
  const signedIn = requirePortalUser(identify, { only: 'sessions' });
  const administrator = requireAdministrator(deps);
  const boundKeys = createBoundKeys(deps);
  const app = new Hono<PortalEnv>();

  app.get('/api/machine-clients', signedIn, administrator, async (c) => {
    const all = await store.machines.clients();
    const keyOf = await boundKeys.shower(c.var.userId, all);
    return c.json({ clients: all.map((client) => show(client, keyOf(client))) } satisfies MachineClientList);
  });

  app.post('/api/machine-clients', signedIn, administrator, async (c) => {
    const { id: userId } = await loadUser(c, deps);
    const { name, key: wanted, jwk } = await readForm(c, MachineClientForm);
    const key = await boundKeys.require(userId, wanted);
    const secret = jwk === undefined ? `${PREFIX}${toHex(random.bytes(32))}` : null;
    const client: MachineClient = {
      client_id: random.uuid(),
      user_id: userId,
      key_id: key.id,
      name,
      secret_sha: secret === null ? null : digest.sha256(secret),
      jwk: jwk === undefined ? null : await requirePublicKey(jwk),
      created_at: clock.now(),
      last_used_at: null,
    };
    if (!(await store.machines.addClient(client, MACHINE_CLIENTS_PER_PERSON)))
      throw new HttpError(409, {
        error: `You have ${MACHINE_CLIENTS_PER_PERSON} clients of machines, or the key has just ended`,
      });
    const keyOf = await boundKeys.shower(userId, [client]);
    const shown = show(client, keyOf(client));
    return c.json(
      { ...shown, ...(secret === null ? {} : { clientSecret: secret }) } satisfies NewMachineClient,
      201,
    );
  });

  app.delete('/api/machine-clients/:id', signedIn, administrator, async (c) => {
    const id = c.req.param('id');
    if (!isId(id) || !(await store.machines.deleteClient(id)))
      throw new HttpError(404, { error: 'There is no such client' });
    return c.json({ success: true } satisfies Success);
  });

  return app;
}

async function requirePublicKey(jwk: Readonly<Record<string, unknown>>): Promise<string> {
  const read = await readPublicKey(jwk);
  if ('problem' in read) throw new HttpError(400, { error: `jwk: ${read.problem}` });
  return read.stored;
}

function show(
  { client_id, name, jwk, created_at, last_used_at }: MachineClient,
  key: BoundKey,
): ShownMachineClient {
  return {
    clientId: client_id,
    name,
    method: jwk === null ? 'secret' : 'private_key_jwt',
    key,
    createdAt: created_at,
    lastUsedAt: last_used_at,
  };
}
