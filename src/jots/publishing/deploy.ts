// One deploy: stage the files, then flip the manifest in one write. Readers see the old jot or the new, never a mix.
import { toHex } from '../../crypto/encoding.ts';
import type { Ports } from '../../ports/ports.ts';
import { describe } from '../../http/errors.ts';
import { JOT_DEPLOY_SECONDS, JOT_RETIRED_SECONDS } from '../../config/limits.ts';
import type { Jot } from '../../ports/records.ts';
import type { NewFile } from '../unpacking/archive.ts';
import type { Caps } from '../unpacking/caps.ts';
import { EMPTY_MANIFEST, encodeManifest, type Manifest, reusable, totalBytes } from '../manifest.ts';
import { mergedFiles, settingsAfter, succeed } from './next-manifest.ts';
import type { Order } from './deploy-request.ts';
import { Refused } from '../refused.ts';
import type { Rows } from '../rows.ts';
import type { Shelf } from '../serving/reader.ts';
import { createStaging, type Staging } from './staging.ts';

const COMMIT_TRIES = 50;

export interface Deployed {
  jot: Jot;
  manifest: Manifest;
}

/** Throws a Refused; whatever the reason, the live jot is untouched and nothing is left behind. */
export type Deploy = (order: Order, files: AsyncIterable<NewFile>) => Promise<Deployed>;

type Needs = Pick<Ports, 'blobs' | 'clock' | 'digest' | 'log' | 'random'> & {
  rows: Rows;
  shelf: Shelf;
  caps: Caps;
};

export function createDeploy(deps: Needs): Deploy {
  const { clock, log, random, rows, shelf, caps } = deps;

  async function live(order: Order): Promise<{ jot: Jot | null; manifest: Manifest; known: Known }> {
    const jot = await rows.get(order.name);
    refuseForeign(order, jot);
    const found = jot === null ? EMPTY_MANIFEST : await shelf.manifest(jot);
    if (found === null && order.kind === 'patch')
      throw new Refused('DEPLOY_FAILED', 'The files of this jot are lost; deploy it anew');
    const manifest = found ?? EMPTY_MANIFEST;
    // Half the time that the sweep leaves them: none that is referred to again can be going.
    return { jot, manifest, known: reusable(manifest, clock.now() - JOT_RETIRED_SECONDS / 2) };
  }

  async function commit(order: Order, staging: Staging, begun: number, flip: Rows['put']): Promise<Deployed> {
    const staged = await staging.files();
    for (let attempt = 0; attempt < COMMIT_TRIES; attempt++) {
      const { jot: seen, manifest: old, known } = await live(order);
      const now = clock.now();
      const files = mergedFiles(order, old, staged, { known, owns: staging.owns, caps });
      const manifest = succeed(old, files, seen?.manifest ?? null, now);
      const key = await staging.putManifest(encodeManifest(manifest));
      const jot: Jot = {
        ...settingsAfter(order, seen),
        name: order.name,
        user_id: order.userId,
        manifest: key,
        files: files.size,
        bytes: totalBytes(manifest),
        version: toHex(random.bytes(16)),
        created_at: seen?.created_at ?? now,
        updated_at: now,
      };
      // The sweep may take what a deploy has staged long ago: this one must be over well before.
      if (now - begun > JOT_DEPLOY_SECONDS) throw new Refused('DEPLOY_FAILED', 'The upload took too long');
      if (await flip(jot, seen?.version ?? null)) return { jot, manifest };
    }
    throw new Refused('DEPLOY_FAILED', 'The jot is being changed by many at once; try again');
  }

  return async function deploy(order, files) {
    const begun = clock.now();
    let staging: Staging | null = null;
    let isUnsure = false;
    const flip: Rows['put'] = async (jot, seen) => {
      isUnsure = true;
      const flipped = await rows.put(jot, seen);
      isUnsure = false;
      return flipped;
    };
    try {
      const { known } = await live(order);
      staging = createStaging(deps, order.name, known);
      for await (const file of files) await staging.add(file);
      const deployed = await commit(order, staging, begun, flip);
      await staging.discard(keysOf(deployed));
      return deployed;
    } catch (error) {
      // A store that failed while it wrote may have written: then the sweep finds out.
      if (!isUnsure) await staging?.discard();
      if (error instanceof Refused) throw error;
      log.write('error', 'deploy failed', { jot: order.name, ...describe(error) });
      throw new Refused('DEPLOY_FAILED', 'The jot could not be stored; try again', { cause: error });
    }
  };
}

type Known = ReturnType<typeof reusable>;

function refuseForeign({ kind, name, userId }: Order, jot: Jot | null): void {
  if (jot?.user_id === userId) return;
  if (kind === 'patch')
    throw jot === null
      ? new Refused('NOT_FOUND', `There is no jot "${name}" any more`)
      : new Refused('NOT_YOURS', `The jot "${name}" is somebody else's now`);
  if (jot !== null) throw new Refused('JOT_NAME_TAKEN', `The name "${name}" is somebody else's`);
}

function keysOf({ jot, manifest }: Deployed): Set<string> {
  return new Set([jot.manifest, ...[...manifest.files.values()].map(({ key }) => key)]);
}
