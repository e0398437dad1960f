// Orders the test files, so that all workers are busy until the end and two browsers seldom run at once.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const ORDER = ['slow', 'fuzz', 'apart', 'fast'];

/**
 * Starts the slow files first, because one that starts last would run alone. The files of the portal keep a whole core
 * busy, so they are spread among the other slow files, which wait more than they compute.
 */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- It is vitest's method and changes no array.
    const sorted = await super.sort(files);
    return ORDER.flatMap((name) => {
      const own = sorted.filter(({ project }) => project.name === name);
      return spread(own, ({ moduleId }) => moduleId.includes('/test/portal/'));
    });
  }
}

/** Keeps the order of both kinds, and puts the items of each kind at even distances. */
function spread<T>(items: readonly T[], isOfFirstKind: (item: T) => boolean): T[] {
  const kinds = [items.filter(isOfFirstKind), items.filter((item) => !isOfFirstKind(item))];
  return kinds
    .flatMap((kind) => kind.map((item, index) => ({ item, place: index / kind.length })))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
