// Shows the choice of an existing import as tools to choose, and turns a new selection into the gateway's change.
import type { ImportPatch } from '../../api/import-changes.ts';
import type { ImportEntry } from '../../api/imports.ts';
import { type Choosable, isChosen, type Selection } from './selection.ts';

export function choosableOf({ tools }: ImportEntry): Choosable[] {
  return tools
    .filter(({ state }) => state !== 'gone')
    .map(({ name, description, access, included, tags, app, onlyForApp }) => ({
      name,
      description,
      access,
      ready: included,
      ...(tags === undefined ? {} : { tags }),
      ...(app === undefined ? {} : { app }),
      ...(onlyForApp === undefined ? {} : { onlyForApp }),
    }));
}

export function patchOf(
  { include, access }: ImportEntry,
  tools: readonly Choosable[],
  selection: Selection,
): ImportPatch {
  const names = (isOn: boolean) =>
    tools.filter((tool) => isChosen(tool, selection) === isOn).map(({ name }) => name);
  return {
    ...(Object.keys(selection.chosen).length === 0
      ? {}
      : include === null
        ? { exclude: names(false) }
        : { include: names(true), exclude: [] }),
    ...(Object.keys(selection.access).length === 0 ? {} : { access: { ...access, ...selection.access } }),
  };
}
