// Reads the guides from the built portal, where a program should not carry them. Without a portal there are none.
import type { Assets } from '../../src/ports/assets.ts';
import type { Guides, ReadGuides } from '../../src/ports/guides.ts';

/** The file that the build of the portal writes. */
const PATH = 'guides.json';

export function createAssetGuides(assets: Assets): ReadGuides {
  let known: Guides | undefined;
  return async function read() {
    if (known !== undefined) return known;
    const asset = await assets.get(PATH);
    // The build writes names and texts.
    const guides: Record<string, string> =
      asset === null ? {} : JSON.parse(new TextDecoder().decode(asset.body));
    return (known = new Map(Object.entries(guides)));
  };
}
