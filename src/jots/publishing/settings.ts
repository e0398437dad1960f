// Changes who may see a jot: its access mode, its password, and whether other pages may read it.
import { toHex } from '../../crypto/encoding.ts';
import type { FairQueue } from '../../memory/fair-queue.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Jot } from '../../ports/records.ts';
import { decideCors } from './cors.ts';
import type { ReplaceRequest } from './deploy-request.ts';
import { JotRefused } from '../model/jot-refused.ts';
import type { JotRecords } from '../model/jot-records.ts';

export interface SettingsChange {
  access?: Jot['access'] | undefined;
  password?: string | undefined;
  cors?: boolean | undefined;
}

export interface Settings {
  /** Completes the settings for a deploy, which replaces all of them. */
  resolve: (
    userId: string,
    name: string,
    change: SettingsChange,
  ) => Promise<Pick<ReplaceRequest, 'access' | 'password_hash' | 'cors' | 'cors_chosen'>>;
  /**
   * Writes the change and resolves to the new jot, or to null where the user has no jot of this name. With `mayDecide`
   * the change may turn cors on; a form that shows the setting decides it alone.
   */
  change(
    userId: string,
    name: string,
    change: SettingsChange,
    mayDecide?: boolean,
  ): Promise<{ jot: Jot; before: Jot } | null>;
}

type Needs = Pick<Ports, 'clock' | 'hasher' | 'random'> & { hashing: FairQueue; records: JotRecords };

export function createSettings({ clock, hasher, hashing, random, records }: Needs): Settings {
  const hashOf = async (userId: string, password: string | undefined): Promise<string | null> =>
    password === undefined ? null : hashing.run(userId, () => hasher.hash(password));

  return {
    async resolve(userId, name, { access = 'public', password, cors }) {
      const jot = await records.get(name);
      if (jot !== null && jot.user_id !== userId)
        throw new JotRefused('JOT_NAME_TAKEN', `The name "${name}" belongs to somebody else`);
      refuseMismatch(access, password);
      const hash = await hashOf(userId, password);
      if (access === 'password' && hash === null && (jot?.password_hash ?? null) === null)
        throw createPasswordMissing();
      return { access, password_hash: hash, cors: cors ?? false, cors_chosen: cors !== undefined };
    },

    async change(userId, name, { access, password, cors }, mayDecide = false) {
      const hash = await hashOf(userId, password);
      for (;;) {
        const seen = await records.get(name);
        if (seen === null || seen.user_id !== userId) return null;
        const next = access ?? seen.access;
        refuseMismatch(next, password);
        const password_hash = next === 'public' ? null : (hash ?? seen.password_hash);
        if (next === 'password' && password_hash === null) throw createPasswordMissing();
        const jot = {
          ...seen,
          access: next,
          password_hash,
          thumbnail: next === 'public' ? seen.thumbnail : null,
          ...decideCors(cors, { access: mayDecide ? next : seen.access, files: seen.files }, seen),
          version: toHex(random.bytes(16)),
          updated_at: clock.now(),
        };
        if (await records.put(jot, seen.version)) return { jot, before: seen };
      }
    },
  };
}

// A caller who sends a password means to lock the jot, so the jot must not become public.
function refuseMismatch(access: Jot['access'], password: string | undefined): void {
  if (access === 'public' && password !== undefined)
    throw new JotRefused('PASSWORD_RULE', 'A password goes with access "password"; give both');
}

const createPasswordMissing = (): JotRefused =>
  new JotRefused('PASSWORD_RULE', 'Access "password" needs a password');
