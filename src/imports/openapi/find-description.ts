// Finds the OpenAPI description at an address or in a document, and the ways to authenticate that the gateway can use.
import type { Egress } from '../../egress/door.ts';
import type { Lease } from '../../memory/budget.ts';
import { createSemaphore } from '../../memory/semaphore.ts';
import type { Ports } from '../../ports/ports.ts';
import { authMistake } from '../model/auth-blocks.ts';
import type { Located, Source, Wishes } from '../model/source.ts';
import { type Found, MAX_DISPLAY_NAME, type SourceDescription } from '../model/source-description.ts';
import { SourceFailure, toSourceFailure } from '../model/source-failure.ts';
import { cleanLine } from '../pinned/clean-text.ts';
import { nameImport } from '../pinned/names.ts';
import { weighParsing } from './document-size.ts';
import { MAX_DOCUMENT_BYTES } from './limits.ts';
import type { Choice } from './read.ts';
import { completeSignIn } from './sign-in.ts';

export type FindDescriptionNeeds = Pick<Ports, 'clock'> & {
  egress: Egress;
  isIsolated?: boolean | undefined;
};

const MAX_DESCRIPTION = 300;
const DOCUMENT_TYPES = 'application/json, application/yaml;q=0.9, text/yaml;q=0.9, */*;q=0.5';

export function createFindDescription({
  clock,
  egress,
  isIsolated = false,
}: FindDescriptionNeeds): Source['find'] {
  // On an edge runtime, a request must not wait for the work of another.
  const inTurn = isIsolated ? <T>(task: () => Promise<T>) => task() : createSemaphore(1);

  async function read(
    text: string,
    address: string | null,
    { base, include, name }: Wishes,
  ): Promise<SourceDescription> {
    if (base !== undefined && /[{}]/.test(base))
      throw new SourceFailure(400, 'Write the base address with its values in place of braces');
    const { readOpenApi } = await import('./read.ts');
    const options = { address, base, turn: () => clock.turn() };
    const first = await readOpenApi(text, options);
    if (first.isCut !== true || include === undefined || include === null) return first;
    const names = [nameImport(first.name), name ?? ''];
    return readOpenApi(text, { ...options, choose: choiceOf(include, names) });
  }

  /** A description takes many times its size while it is read. */
  async function within<T>(request: Lease, text: string, reading: () => Promise<T>): Promise<T> {
    const lease = request.child();
    try {
      // The space is reserved first. A reading that waited for space in its turn could wait for those behind it.
      await lease.reserve(weighParsing(text));
      return await inTurn(reading);
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

  async function download({ address, lease, timeLeft }: Located): Promise<string> {
    try {
      const response = await egress.bind({ lease }).fetch(address, {
        headers: { accept: DOCUMENT_TYPES },
        maxBytes: MAX_DOCUMENT_BYTES,
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

  return async function findDescription(place, wishes): Promise<Found> {
    const [text, address] =
      'document' in place ? [place.document, null] : [await download(place), place.address];
    const description = await within(place.lease, text, () => read(text, address, wishes));
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
