// Deploys a jot: stages the files, then switches the manifest in one write. Readers see the old jot or the new one.
import { toHex } from '../../crypto/encoding.ts';
import type { Ports } from '../../ports/ports.ts';
import { describe } from '../../http/errors.ts';
import { JOT_DEPLOY_SECONDS } from '../model/limits.ts';
import type { Jot } from '../../ports/records.ts';
import type { NewFile } from '../unpacking/archive.ts';
import type { JotLimits } from '../unpacking/jot-limits.ts';
import { encodeManifest, type Manifest, totalBytes, type Version } from '../model/manifest.ts';
import { mergeFiles, nextSettings } from './next-manifest.ts';
import type { DeployRequest } from './deploy-request.ts';
import { JotRefused } from '../model/jot-refused.ts';
import type { JotRecords } from '../model/jot-records.ts';
import type { JotReader } from '../serving/reader.ts';
import { isSameTree, planNext } from './history.ts';
import { leftoverOf, weigh } from './leftover.ts';
import { createReadLive, findPicture, type Live } from './live.ts';
import type { JotQuota, QuotaShare } from './quota.ts';
import { createStaging, type Staging } from './staging.ts';

const MAX_COMMIT_ATTEMPTS = 50;

export interface Deployed {
  jot: Jot;
  manifest: Manifest;
  /** The jot that was replaced. */
  before: Jot | null;
}

/** Throws a JotRefused. The live jot is then unchanged, and the blobs of the deploy are gone. */
export type Deploy = (request: DeployRequest, files: AsyncIterable<NewFile>) => Promise<Deployed>;

type Needs = Pick<Ports, 'blobs' | 'clock' | 'digest' | 'log' | 'random'> & {
  records: JotRecords;
  quota: JotQuota;
  reader: JotReader;
  limits: JotLimits;
};

export function createDeploy(deps: Needs): Deploy {
  const { blobs, clock, log, quota, random, reader, records, limits } = deps;

  const readLive = createReadLive(deps);

  async function readOwn(request: DeployRequest): Promise<Live> {
    const live = await readLive(request.name);
    refuseForeign(request, live.jot);
    if (live.isLost && request.kind === 'patch')
      throw new JotRefused('DEPLOY_FAILED', 'The files of this jot are lost. Deploy it again');
    return live;
  }

  async function commit(
    request: DeployRequest,
    { staging, share }: { staging: Staging; share: QuotaShare },
    begun: number,
    flip: JotRecords['put'],
  ): Promise<Deployed> {
    const staged = await staging.files();
    for (let attempt = 0; attempt < MAX_COMMIT_ATTEMPTS; attempt++) {
      const live = await readOwn(request);
      const { jot: seen, manifest: old, known } = live;
      const now = clock.now();
      const files = mergeFiles(request, old, staged, { known, owns: staging.owns, limits });
      const weight = weigh(files.size, totalBytes({ files }));
      const room = await quota.roomForVersions(request.userId, request.name, weight);
      const isSame = isSameTree(files, old.files);
      const current = isSame ? old.current : nextVersion(old, request, now);
      const settings = nextSettings(request, seen, files.size);
      const thumbnail = isSame && settings.access === 'public' ? (seen?.thumbnail ?? null) : null;
      const picture = isSame ? null : await findPicture(blobs, seen);
      const change = { files, current, now, room, picture, thumbnail };
      const { manifest, heldBytes, left } = planNext(live, change);
      const key = await staging.putManifest(encodeManifest(manifest));
      const jot: Jot = {
        ...settings,
        name: request.name,
        user_id: request.userId,
        manifest: key,
        files: files.size,
        bytes: totalBytes(manifest),
        held_bytes: heldBytes,
        thumbnail,
        views: 0,
        version: toHex(random.bytes(16)),
        created_at: seen?.created_at ?? now,
        updated_at: now,
      };
      // The sweep removes blobs that were staged long ago, so a deploy must end well before that.
      if (now - begun > JOT_DEPLOY_SECONDS) throw new JotRefused('DEPLOY_FAILED', 'The upload took too long');
      const write = () => flip(jot, seen?.version ?? null, leftoverOf(left, now));
      if (!(await share.commit(seen === null, write))) continue;
      reader.forget(left);
      return { jot, manifest, before: seen };
    }
    throw new JotRefused('DEPLOY_FAILED', 'Too many callers are changing this jot at once. Try again');
  }

  return async function deploy(request, files) {
    const begun = clock.now();
    let staging: Staging | null = null;
    let share: QuotaShare | null = null;
    let mayHaveCommitted = false;
    const flip: JotRecords['put'] = async (jot, seen, leftover) => {
      mayHaveCommitted = true;
      const flipped = await records.put(jot, seen, leftover);
      mayHaveCommitted = false;
      return flipped;
    };
    try {
      const { jot, known } = await readOwn(request);
      const opened = await quota.open(request.userId, jot === null);
      share = opened;
      staging = createStaging({ ...deps, count: (bytes) => opened.add(bytes) }, request.name, known);
      for await (const file of files) await staging.add(file);
      const deployed = await commit(request, { staging, share }, begun, flip);
      await staging.discard(listKeys(deployed));
      return deployed;
    } catch (error) {
      // A store that fails during a write may have written. Then the sweep removes what nobody refers to.
      if (!mayHaveCommitted) await staging?.discard();
      if (error instanceof JotRefused) throw error;
      log.write('error', 'deploy failed', { jot: request.name, ...describe(error) });
      throw new JotRefused('DEPLOY_FAILED', 'The jot could not be stored; try again', { cause: error });
    } finally {
      share?.close();
    }
  };
}

/** Counts on from the newest version, which may be an earlier one after a roll-back. */
function nextVersion({ current, earlier }: Manifest, { by }: DeployRequest, now: number): Version {
  const newest = Math.max(current.number, ...earlier.map(({ number }) => number));
  return { number: newest + 1, at: now, by };
}

function refuseForeign({ kind, name, userId }: DeployRequest, jot: Jot | null): void {
  if (jot?.user_id === userId) return;
  if (kind === 'patch')
    throw jot === null
      ? new JotRefused('NOT_FOUND', `There is no jot "${name}" any more`)
      : new JotRefused('NOT_YOURS', `The jot "${name}" belongs to somebody else now`);
  if (jot !== null) throw new JotRefused('JOT_NAME_TAKEN', `The name "${name}" belongs to somebody else`);
}

function listKeys({ jot, manifest }: Deployed): Set<string> {
  return new Set([jot.manifest, ...[...manifest.files.values()].map(({ key }) => key)]);
}
