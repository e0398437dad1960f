// Lists integrations in which the tool may be, for an agent that knows what belongs where. decision: 033
import type { Integration } from '../kit/integration.ts';
import { MAP_MAX_BYTES, MAP_MAX_INTEGRATIONS, MAP_UNSURE_INTEGRATIONS } from './limits.ts';
import type { Blended } from './search.ts';
import { summaryOf } from './summary.ts';

const MAX_ABOUT = 60;
/** What an entry takes beside its name, and what it takes more to say what it is about. */
const ENTRY_BYTES = '{"name":"","tools":1000},'.length;
const ABOUT_BYTES = '"about":"",'.length;

export interface MapEntry {
  name: string;
  /** What the integration is for. Absent where there is no space for it. */
  about?: string;
  tools: number;
}

type Listed = Pick<Integration, 'name' | 'description' | 'imported'>;

/** Below this the whole map is shown. A weak hit is below it. */
const MIN_SURENESS = 0.4;
/** With imports a short map is shown below this. Our own ranking alone seldom misses what it finds. */
const MIN_SURENESS_BESIDE = 0.6;

/** Returns no entries when the best hit is good enough, and no tool of another integration is as good. */
export function mapOf<Each extends Listed>(
  integrations: readonly Each[],
  { servers, sureness }: Blended,
  connected: ReadonlySet<string>,
  toolsOf: (integration: Each) => number,
): MapEntry[] {
  const mayBeImported = integrations.some(({ imported }) => imported !== undefined);
  if (sureness >= (mayBeImported ? MIN_SURENESS_BESIDE : MIN_SURENESS)) return [];
  const isNear = ({ name, imported }: Each): boolean => imported !== undefined || connected.has(name);
  const score = ({ name }: Each): number => servers.get(name) ?? 0;
  const first = integrations
    .toSorted((one, other) => Number(isNear(other)) - Number(isNear(one)) || score(other) - score(one))
    .slice(0, sureness < MIN_SURENESS ? MAP_MAX_INTEGRATIONS : MAP_UNSURE_INTEGRATIONS);
  let left = MAP_MAX_BYTES - 2;
  const fitting = first.filter(({ name }) => {
    left -= ENTRY_BYTES + bytesOf(name);
    return left >= 0;
  });
  // The first ones say what they are for, as far as the space goes.
  left = Math.max(
    0,
    MAP_MAX_BYTES - 2 - fitting.reduce((sum, { name }) => sum + ENTRY_BYTES + bytesOf(name), 0),
  );
  return fitting.map((integration) => {
    const about = aboutOf(integration);
    const size = ABOUT_BYTES + bytesOf(JSON.stringify(about)) - 2;
    const isShown = about !== '' && size <= left;
    if (isShown) left -= size;
    return { name: integration.name, ...(isShown && { about }), tools: toolsOf(integration) };
  });
}

function aboutOf({ description }: Listed): string {
  const text = summaryOf(description);
  if (text.length <= MAX_ABOUT) return text;
  const cut = text.slice(0, MAX_ABOUT).replace(/[\uD800-\uDBFF]$/, '');
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), MAX_ABOUT / 2))}…`;
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;
