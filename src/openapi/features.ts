// Lists the features whose routes the description has. A new feature adds its operations here. reference: OpenAPI
import type * as z from 'zod';
import { callOperations } from '../audit/details/operations.ts';
import { auditOperations } from '../audit/operations.ts';
import { sealingOperations } from '../audit/sealing/operations.ts';
import { authOperations } from '../auth/operations.ts';
import { catalogOperations } from '../catalog/operations.ts';
import { clientOperations } from '../connections/client-operations.ts';
import { cookieOperations } from '../connections/cookies/operations.ts';
import { GivenCookie } from '../connections/cookies/cookie-import.ts';
import { connectionOperations, connectionState, keyFields } from '../connections/operations.ts';
import { teamOperations, teamState } from '../connections/team-operations.ts';
import { fileOperations } from '../files/api-operations.ts';
import type { Operation, Operations, RouteName } from '../http/operation.ts';
import { checked, importEntry, importOperations, shownAuth } from '../imports/operations.ts';
import { jotOperations } from '../jots/api-operations.ts';
import { RulesShape } from '../kit/limits.ts';
import { browserSessionOperations } from '../live-view/browser-session-operations.ts';
import { loginOperations } from '../login/operations.ts';
import { healthOperations } from '../maintenance/health-operations.ts';
import { agent, agentOperations } from '../oauth/agent-operations.ts';
import { leavingOperations } from '../people/leaving-operations.ts';
import { limit, peopleOperations, person } from '../people/operations.ts';
import { overviewOperations } from '../people/overview-operations.ts';
import { approval, approvalOperations } from '../policy/approval-operations.ts';
import { keyOperations } from '../policy/key-operations.ts';
import { rulesOperations } from '../policy/rules-operations.ts';
import { rawOperations } from '../raw/operations.ts';
import { usageOperations } from '../usage/operations.ts';
import { approvalLink, restOperations } from '../rest/operations.ts';
import { openApiOperations } from './operations.ts';

const FEATURES: readonly Operations[] = [
  restOperations,
  rawOperations,
  catalogOperations,
  connectionOperations,
  importOperations,
  cookieOperations,
  clientOperations,
  teamOperations,
  agentOperations,
  keyOperations,
  rulesOperations,
  approvalOperations,
  auditOperations,
  callOperations,
  sealingOperations,
  usageOperations,
  peopleOperations,
  leavingOperations,
  overviewOperations,
  jotOperations,
  fileOperations,
  authOperations,
  loginOperations,
  browserSessionOperations,
  healthOperations,
  openApiOperations,
];

/** Every operation with the method and the pattern of its route. */
export function allOperations(): [RouteName, Operation][] {
  // The keys of the records are route names by their type, which `entries` forgets.
  return FEATURES.flatMap((operations) => Object.entries(operations()) as [RouteName, Operation][]);
}

interface Repeated {
  name: string;
  schema: z.ZodType;
  io: 'input' | 'output';
}

/** The schemas that several operations have, by names for generated clients. The description has each of them once. */
export const repeatedSchemas = (): readonly Repeated[] => [
  { name: 'Agent', schema: agent(), io: 'output' },
  { name: 'Approval', schema: approval(), io: 'output' },
  { name: 'ApprovalLink', schema: approvalLink(), io: 'output' },
  { name: 'Connection', schema: connectionState(), io: 'output' },
  { name: 'Cookie', schema: GivenCookie, io: 'input' },
  { name: 'Import', schema: importEntry(), io: 'output' },
  { name: 'ImportAuth', schema: shownAuth(), io: 'output' },
  { name: 'ImportChanges', schema: checked(), io: 'output' },
  { name: 'KeyFields', schema: keyFields(), io: 'output' },
  { name: 'Limit', schema: limit(), io: 'output' },
  { name: 'NewRules', schema: RulesShape, io: 'input' },
  { name: 'Person', schema: person(), io: 'output' },
  { name: 'Rules', schema: RulesShape, io: 'output' },
  { name: 'TeamConnection', schema: teamState(), io: 'output' },
];

/** The tags in the order of a reader. */
export const TAGS: Readonly<Record<string, string>> = {
  REST: 'Runs tools with your connections',
  'Raw HTTP': 'Calls the API of an integration with your credential',
  Catalogue: 'Integrations and tools',
  Connections: 'What you have connected',
  Imports: 'Integrations that people add',
  Connecting: 'Ways to connect an integration',
  Administration: 'Settings of the whole gateway, for its administrators',
  Agents: 'Clients that signed in as you',
  Permissions: 'What agents may do, and what they ask you',
  Activity: 'Your calls',
  Jots: 'Your published pages',
  Files: 'Your kept files',
  Person: 'You and your API key',
  'Sign-in': 'The providers of the sign-in',
  Browser: 'Your browser on the gateway',
  Health: 'Probes',
  Descriptions: 'Texts for programs',
};
