// Says what the first listing of a source changes in the settings of its import.
import { isNamed } from './model/selection.ts';
import type { Settings } from './model/settings.ts';
import type { SourceTool } from './model/source-description.ts';
import type { Pinned } from './pinned/pin.ts';

/** A deprecated tool is left out, unless somebody has chosen it by its own name. */
export function afterFirstListing(
  settings: Settings,
  tools: readonly SourceTool[],
  pinned: readonly Pinned[],
): Settings {
  const named = new Set(settings.include);
  const deprecated = new Set(tools.filter((tool) => tool.deprecated === true).map(({ name }) => name));
  const leftOut = pinned
    .map(({ name, definition }) => ({ ...definition, name }))
    .filter((tool) => deprecated.has(tool.source) && !isNamed(tool, named))
    .map(({ source }) => source);
  return { ...settings, isListed: true, exclude: [...settings.exclude, ...leftOut] };
}
