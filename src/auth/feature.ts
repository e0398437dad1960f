// What tells who is calling, and knows what runs for each person.
import type { Feature } from '../kit/feature.ts';
import { createAccessTokens } from './access-token.ts';
import { createAgentKeys } from './agent-keys.ts';
import { createApiKeys } from './api-keys.ts';
import { createIdentify } from './caller.ts';
import { createCurrentCaller } from './current-caller.ts';
import { createCurlTokens } from './curl-token.ts';
import { createEndings, createEndingsCache } from './endings.ts';
import { authOperations } from './operations.ts';
import { createAuthRoutes } from './routes.ts';
import { createRunningWork, type RunningWork } from './running-work.ts';
import { sealedKeys } from './sealed-keys.ts';
import { createServiceKeyAuth } from './service-keys.ts';
import { createSessionKeys } from './session-key.ts';
import { createSessions } from './session.ts';
import { endWithAccess } from './under-way.ts';

export const authFeature = {
  name: 'auth',
  shared: { endingsCache: createEndingsCache },
  parts: {
    accessTokens: createAccessTokens,
    agentKeys: createAgentKeys,
    apiKeys: createApiKeys,
    callers: createIdentify,
    curlTokens: createCurlTokens,
    currentCaller: createCurrentCaller,
    endings: createEndings,
    runningWork: createRunningWork,
    serviceKeyAuth: createServiceKeyAuth,
    sessionKeys: createSessionKeys,
    sessions: createSessions,
  },
  guards: (deps: { runningWork: RunningWork }) => [{ path: '/api/*', run: endWithAccess(deps) }],
  routes: { portal: [createAuthRoutes] },
  operations: [authOperations],
  chores: ({ runningWork }: { runningWork: RunningWork }) => ({ 'running work': () => runningWork.check() }),
  sealed: [sealedKeys],
} satisfies Feature;
