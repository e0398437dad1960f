// Finds the OpenAPI description at an address or in a document, and the ways to authenticate that the gateway can use.
import type { Egress } from '../../egress/door.ts';
import type { Lease } from '../../memory/budget.ts';
import { createFairQueue } from '../../memory/fair-queue.ts';
import type { HeavyTurn } from '../../memory/heavy-turns.ts';
import { createSemaphore } from '../../memory/semaphore.ts';
import type { Ports } from '../../ports/ports.ts';
import { authMistake } from '../model/auth-blocks.ts';
import type { Located, Source, Wishes } from '../model/source.ts';
import { type Found, MAX_DISPLAY_NAME, type SourceDescription } from '../model/source-description.ts';
import { SourceFailure, toSourceFailure } from '../model/source-failure.ts';
import { cleanLine } from '../pinned/clean-text.ts';
import { nameImport } from '../pinned/names.ts';
import { weighParsing } from './document-size.ts';
import { filesNamedIn } from './files.ts';
import { HEAVY_DESCRIPTION, MAX_DOCUMENT_BYTES, MAX_FILES, MAX_FILES_BYTES } from './limits.ts';
import type { Choice } from './read.ts';
import { completeSignIn } from './sign-in.ts';

export type FindDescriptionNeeds = Pick<Ports, 'clock'> & {
  egress: Egress;
  heavyTurn: HeavyTurn;
  isIsolated?: boolean | undefined;
};

const MAX_DESCRIPTION = 300;
const FILES_AT_ONCE = 8;
const DOCUMENT_TYPES = 'application/json, application/yaml;q=0.9, text/yaml;q=0.9, */*;q=0.5';

export function createFindDescription({
  clock,
  egress,
  heavyTurn,
  isIsolated = false,
}: FindDescriptionNeeds): Source['find'] {
  const readings = createFairQueue({ maxRunning: 1, maxWaitingPerOwner: Infinity });

  async function read(
    text: string,
    address: string | null,
    files: ReadonlyMap<string, string>,
    { base, include, name, naming }: Wishes,
    turn: () => Promise<void>,
  ): Promise<SourceDescription> {
    if (base !== undefined && /[{}]/.test(base))
      throw new SourceFailure(400, 'Write the base address with its values in place of braces');
    const { readOpenApi } = await import('./read.ts');
    const options = { address, base, files, naming, turn };
    const first = await readOpenApi(text, options);
    if (first.tooMany === undefined || include === undefined || include === null) return first;
    const names = [nameImport(first.name), name ?? ''];
    return readOpenApi(text, { ...options, choose: choiceOf(include, names) });
  }

  /** A description takes many times its size while it is read. The reading is given the turn that it takes for each step. */
  async function within<T>(
    request: Lease,
    texts: readonly string[],
    reading: (turn: () => Promise<void>) => Promise<T>,
  ): Promise<T> {
    const lease = request.child();
    const { userId } = lease;
    const isHeavy = texts.reduce((sum, text) => sum + text.length, 0) >= HEAVY_DESCRIPTION;
    const turn = isHeavy ? () => heavyTurn(userId) : () => clock.turn();
    try {
      await turn();
      // The space is reserved first. A reading that waited for space in its turn could wait for those behind it.
      await lease.reserve(texts.reduce((sum, text) => sum + weighParsing(text), 0));
      // On an edge runtime, a request must not wait for the work of another.
      return await (isIsolated ? reading(turn) : readings.run(userId, () => reading(turn)));
    } finally {
      lease.close();
    }
  }

  /** Leaves out the ways to authenticate that the gateway cannot use, and warns about each. */
  async function readWays({ auth, otherAuth = [], warnings }: SourceDescription) {
    const problems: string[] = [];
    const usable = [auth, ...otherAuth].filter((way) => {
      const mistake = authMistake(way);
      if (mistake !== null)
        problems.push(`A way to authenticate in the description cannot be used: ${mistake}`);
      return mistake === null;
    });
    const [first, ...others] = await Promise.all(usable.map((way) => completeSignIn(egress, way)));
    return {
      auth: first?.auth ?? { type: 'none' as const },
      client: first?.client,
      ...(others.length === 0 ? { otherAuth: undefined } : { otherAuth: others.map((each) => each.auth) }),
      warnings: [...warnings, ...problems, ...[first, ...others].flatMap((each) => each?.warnings ?? [])],
    };
  }

  async function download(
    { address, lease, timeLeft }: Located,
    maxBytes = MAX_DOCUMENT_BYTES,
  ): Promise<string> {
    try {
      const response = await egress.bind({ lease }).fetch(address, {
        headers: { accept: DOCUMENT_TYPES },
        maxBytes,
        timeoutMs: timeLeft(),
      });
      if (response.ok) return await response.text();
      await response.body?.cancel();
      throw new SourceFailure(
        502,
        `${new URL(address).host} answered ${response.status} for the description`,
      );
    } catch (error) {
      throw toSourceFailure(error);
    }
  }

  /** Gets the files that the description refers to, and those that they refer to. One that cannot be had is left out. */
  async function downloadOthers(place: Located, text: string): Promise<Map<string, string>> {
    const files = new Map<string, string>();
    const asked = new Set([place.address]);
    const atOnce = createSemaphore(FILES_AT_ONCE);
    let left = MAX_FILES_BYTES;

    async function take(address: string): Promise<string[]> {
      if (left <= 0) return [];
      try {
        const content = await download({ ...place, address }, left);
        if (content.length > left) return [];
        left -= content.length;
        files.set(address, content);
        return filesNamedIn(content, address);
      } catch (error) {
        if (error instanceof SourceFailure) return [];
        throw error;
      }
    }

    let next = filesNamedIn(text, place.address);
    while (next.length > 0) {
      const wanted = [...new Set(next)]
        .filter((address) => !asked.has(address))
        .slice(0, MAX_FILES - asked.size);
      for (const address of wanted) asked.add(address);
      next = (await Promise.all(wanted.map((address) => atOnce(() => take(address))))).flat();
    }
    return files;
  }

  return async function findDescription(place, wishes): Promise<Found> {
    const [text, address] =
      'document' in place ? [place.document, null] : [await download(place), place.address];
    const files = 'document' in place ? new Map<string, string>() : await downloadOthers(place, text);
    const description = await within(place.lease, [text, ...files.values()], (turn) =>
      read(text, address, files, wishes, turn),
    );
    return {
      ...description,
      ...(await readWays(description)),
      name: nameImport(description.name),
      displayName: cleanLine(description.displayName, MAX_DISPLAY_NAME),
      description: cleanLine(description.description, MAX_DESCRIPTION),
      address,
    };
  };
}

/** People choose by names that begin with the name of the preview or of the import. */
function choiceOf(include: readonly string[], names: readonly string[]): Choice {
  const plain = names.flatMap((name) =>
    include.filter((text) => text.startsWith(`${name}_`)).map((text) => text.slice(name.length + 1)),
  );
  return {
    tags: include,
    paths: include.filter((text) => text.startsWith('/')),
    operations: [...include, ...plain],
  };
}
