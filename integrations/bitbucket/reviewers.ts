// Reviewers as Bitbucket takes them. reference: Upstream behaviours
import { addBraces } from './fields.ts';

/** If the author is among the reviewers, Bitbucket silently drops all of them. */
export function reviewersFor(author: string | undefined, wanted: readonly string[]): { uuid: string }[] {
  const uuids = [...new Set(wanted.map(addBraces))];
  const others = uuids.filter(
    (uuid) => author === undefined || uuid.toLowerCase() !== addBraces(author).toLowerCase(),
  );
  if (others.length < uuids.length)
    console.warn(
      '[bitbucket] the author of a pull request cannot review it and was left out of the reviewers',
    );
  return others.map((uuid) => ({ uuid }));
}
