// Declares what the meta-tools need.
import type { ConnectLinks } from '../../connections/model/links.ts';
import type { Connected } from '../../connections/model/connected.ts';
import type { CurlTokens } from '../../auth/curl-token.ts';
import type { OAuthFlows } from '../../connections/oauth/oauth-flows.ts';
import type { Ports } from '../../ports/ports.ts';
import type { ActorLinking } from '../../kit/actor-links.ts';
import type { Registries } from '../../kit/registries.ts';
import type { Gate } from '../../policy/model/gate.ts';
import type { Visibility } from '../../policy/model/visibility.ts';
import type { StoredResults } from '../../calls/results/stored-results.ts';
import type { Execute } from '../../calls/execute.ts';
import type { FindTool } from '../../calls/find-tool.ts';
import type { ToolboxOf } from '../../search/toolbox.ts';

export type MetaNeeds = Pick<
  Ports,
  'clock' | 'config' | 'guides' | 'pending' | 'random' | 'store' | 'texts'
> & {
  actorLinks: Pick<ActorLinking, 'linkFor'>;
  connected: Connected;
  curlTokens: CurlTokens;
  gate: Gate;
  links: ConnectLinks;
  oauthFlows: OAuthFlows;
  registries: Registries;
  results: StoredResults;
  execute: Execute;
  findTool: FindTool;
  toolboxOf: ToolboxOf;
  visibility: Visibility;
};
