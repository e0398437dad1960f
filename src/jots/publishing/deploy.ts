// Deploys a jot: stages the files, then switches the manifest in one write. Readers see the old jot or the new one.
import { toHex } from '../../crypto/encoding.ts';
import type { Ports } from '../../ports/ports.ts';
import { describe } from '../../http/errors.ts';
import { JOT_DEPLOY_SECONDS, JOT_RETIRED_SECONDS } from '../../config/limits.ts';
import type { Jot } from '../../ports/records.ts';
import type { NewFile } from '../unpacking/archive.ts';
import type { JotLimits } from '../unpacking/jot-limits.ts';
import { EMPTY_MANIFEST, encodeManifest, type Manifest, findReusable, totalBytes } from '../manifest.ts';
import { mergeFiles, nextSettings, nextManifest } from './next-manifest.ts';
import type { DeployRequest } from './deploy-request.ts';
import { JotRefused } from '../jot-refused.ts';
import type { JotRecords } from '../jot-records.ts';
import type { JotReader } from '../serving/reader.ts';
import { leftoverOfReplacement } from './leftover.ts';
import type { JotQuota, QuotaShare } from './quota.ts';
import { createStaging, type Staging } from './staging.ts';

const MAX_COMMIT_ATTEMPTS = 50;

export interface Deployed {
  jot: Jot;
  manifest: Manifest;
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
  const { clock, log, quota, random, records, reader, limits } = deps;

  async function readLive(
    request: DeployRequest,
  ): Promise<{ jot: Jot | null; manifest: Manifest; known: Known }> {
    const jot = await records.get(request.name);
    refuseForeign(request, jot);
    const found = jot === null ? EMPTY_MANIFEST : await reader.readManifest(jot);
    if (found === null && request.kind === 'patch')
      throw new JotRefused('DEPLOY_FAILED', 'The files of this jot are lost. Deploy it again');
    const manifest = found ?? EMPTY_MANIFEST;
    // The sweep keeps retired blobs twice as long, so a blob that is used again cannot be about to go.
    return { jot, manifest, known: findReusable(manifest, clock.now() - JOT_RETIRED_SECONDS / 2) };
  }

  async function commit(
    request: DeployRequest,
    { staging, share }: { staging: Staging; share: QuotaShare },
    begun: number,
    flip: JotRecords['put'],
  ): Promise<Deployed> {
    const staged = await staging.files();
    for (let attempt = 0; attempt < MAX_COMMIT_ATTEMPTS; attempt++) {
      const { jot: seen, manifest: old, known } = await readLive(request);
      const now = clock.now();
      const files = mergeFiles(request, old, staged, { known, owns: staging.owns, limits });
      const manifest = nextManifest(old, files, seen?.manifest ?? null, now);
      const key = await staging.putManifest(encodeManifest(manifest));
      const jot: Jot = {
        ...nextSettings(request, seen, files.size),
        name: request.name,
        user_id: request.userId,
        manifest: key,
        files: files.size,
        bytes: totalBytes(manifest),
        version: toHex(random.bytes(16)),
        created_at: seen?.created_at ?? now,
        updated_at: now,
      };
      // The sweep removes blobs that were staged long ago, so a deploy must end well before that.
      if (now - begun > JOT_DEPLOY_SECONDS) throw new JotRefused('DEPLOY_FAILED', 'The upload took too long');
      const leftover = seen === null ? undefined : leftoverOfReplacement(old, seen.manifest, manifest, now);
      const write = () => flip(jot, seen?.version ?? null, leftover);
      if (await share.commit(seen === null, write)) return { jot, manifest };
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
      const { jot, known } = await readLive(request);
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

type Known = ReturnType<typeof findReusable>;

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
