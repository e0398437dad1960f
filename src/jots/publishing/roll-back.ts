// Makes an earlier version of a jot current again, in one write. decision: 047
import { toHex } from '../../crypto/encoding.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Jot } from '../../ports/records.ts';
import { JotRefused } from '../model/jot-refused.ts';
import type { JotRecords } from '../model/jot-records.ts';
import {
  createDeployFolder,
  type EarlierVersion,
  encodeManifest,
  JOTS_FOLDER,
  type Manifest,
  totalBytes,
} from '../model/manifest.ts';
import type { JotReader } from '../serving/reader.ts';
import { decideCors } from './cors.ts';
import { planNext } from './history.ts';
import { leftoverOf, weigh } from './leftover.ts';
import { createReadLive, findPicture, type Live } from './live.ts';
import type { JotQuota } from './quota.ts';

export interface RolledBack {
  jot: Jot;
  before: Jot;
  /** What the jot consists of now. */
  manifest: Manifest;
}

/**
 * `number` names the version that becomes current, and `seen` the one that was current when the person decided. Resolves to
 * null where the user has no jot of this name. Throws a JotRefused when another version is current by now.
 */
export type RollBack = (
  userId: string,
  name: string,
  number: number,
  seen: number,
) => Promise<RolledBack | null>;

type Needs = Pick<Ports, 'blobs' | 'clock' | 'random'> & {
  records: JotRecords;
  quota: Pick<JotQuota, 'roomForVersions'>;
  reader: JotReader;
};

export function createRollBack(deps: Needs): RollBack {
  const { blobs, clock, quota, random, reader, records } = deps;
  const readLive = createReadLive(deps);

  /** Finds the version with its files. Throws where one of them is gone, so that no reader misses a file. */
  async function findVersion(
    { manifest: { earlier }, earlier: manifests }: Live,
    name: string,
    number: number,
  ): Promise<{ version: EarlierVersion; files: Manifest['files']; picture: string | null }> {
    const version = earlier.find((one) => one.number === number);
    const files = version === undefined ? undefined : manifests.get(version.manifest.key)?.files;
    if (version === undefined || files === undefined)
      throw new JotRefused('VERSION_GONE', `Version ${number} of "${name}" is not kept any more`);
    const missing = new Set([...files.values()].map(({ key }) => key));
    let picture: string | null = null;
    for await (const key of blobs.list(`${JOTS_FOLDER}${name}/`)) {
      missing.delete(key);
      if (key === version.picture?.key) picture = key;
    }
    if (missing.size > 0)
      throw new JotRefused('VERSION_GONE', `Files of version ${number} of "${name}" are gone`);
    return { version, files, picture };
  }

  return async function rollBack(userId, name, number, seen) {
    for (;;) {
      const live = await readLive(name);
      const { jot: before, manifest: old } = live;
      if (before === null || before.user_id !== userId) return null;
      if (old.current.number === number) return { jot: before, before, manifest: old };
      if (old.current.number !== seen)
        throw new JotRefused(
          'JOT_CHANGED',
          `Version ${old.current.number} of "${name}" is current by now. Look again before you roll back`,
        );
      const { version, files, picture } = await findVersion(live, name, number);
      const now = clock.now();
      const bytes = totalBytes({ files });
      const room = await quota.roomForVersions(userId, name, weigh(files.size, bytes));
      const { at, by } = version;
      const thumbnail = before.access === 'public' ? picture : null;
      const { manifest, heldBytes, left } = planNext(live, {
        files,
        current: { number, at, by },
        now,
        room,
        picture: await findPicture(blobs, before),
        thumbnail,
      });
      const key = `${createDeployFolder(name, deps)}0`;
      await blobs.put(key, encodeManifest(manifest));
      const jot: Jot = {
        ...before,
        ...decideCors(undefined, { access: before.access, files: files.size }, before),
        manifest: key,
        files: files.size,
        bytes,
        held_bytes: heldBytes,
        thumbnail,
        version: toHex(random.bytes(16)),
        updated_at: now,
      };
      if (await records.put(jot, before.version, leftoverOf(left, now))) {
        reader.forget(left);
        return { jot, before, manifest };
      }
      // Somebody else has written the jot. The sweep removes the manifest that nobody refers to.
      await blobs.delete(key).catch(() => {});
    }
  };
}
