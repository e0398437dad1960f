// What the meta-tools are made from.
import type { Deps } from '../../deps.ts';
import type { Execute } from '../../tools/execute.ts';
import type { Search } from '../../tools/search.ts';

export type MetaNeeds = Pick<
  Deps,
  | 'clock'
  | 'config'
  | 'connected'
  | 'curlTokens'
  | 'links'
  | 'oauthFlows'
  | 'pending'
  | 'random'
  | 'registry'
  | 'results'
> & {
  execute: Execute;
  search: Search;
};
