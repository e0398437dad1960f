// Declares what the meta-tools need.
import type { ConnectLinks } from '../../connections/links.ts';
import type { Connected } from '../../connections/connected.ts';
import type { CurlTokens } from '../../auth/curl-token.ts';
import type { OAuthFlows } from '../../connections/oauth/oauth-flows.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Registry } from '../../kit/registry.ts';
import type { StoredResults } from '../stored-results.ts';
import type { Execute } from '../../tools/execute.ts';
import type { Nearest } from '../../tools/nearest.ts';
import type { Search } from '../../tools/search.ts';

export type MetaNeeds = Pick<Ports, 'clock' | 'config' | 'pending' | 'random'> & {
  connected: Connected;
  curlTokens: CurlTokens;
  links: ConnectLinks;
  oauthFlows: OAuthFlows;
  registry: Registry;
  results: StoredResults;
  execute: Execute;
  search: Search;
  nearest: Nearest;
};
