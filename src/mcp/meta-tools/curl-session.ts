// Implements curl_session: a token that lends connections to raw HTTP. decision: 034
import * as z from 'zod';
import { CURL_METHODS } from '../../auth/curl-token.ts';
import { TEAM_LABEL } from '../../connections/model/team.ts';
import { TEAM_ACCOUNT } from '../../ports/team.ts';
import { ErrorCode, ErrorText } from '../../http/error-codes.ts';
import type { BoundAccount } from '../../connections/model/accounts.ts';
import { codeOfChoice, howToChoose, howToConnect } from '../../connections/model/connected.ts';
import type { Identity } from '../../kit/actor.ts';
import { type Integration, type MetaTool, tool } from '../../kit/integration.ts';
import {
  CURL_SESSION_DEFAULT_SECONDS,
  CURL_SESSION_MAX_INTEGRATIONS,
  CURL_SESSION_MAX_SECONDS,
} from '../../auth/limits.ts';
import { describeBlocked } from '../../policy/model/visibility.ts';
import { withNearest } from '../../search/nearest.ts';
import type { MetaNeeds } from './context.ts';

type Needs = Pick<
  MetaNeeds,
  'toolboxOf' | 'gate' | 'registries' | 'connected' | 'config' | 'clock' | 'curlTokens'
>;
/** What the agent reads instead of a token. */
interface Refusal {
  error: string;
  integration: string;
  message?: string;
  /** The labels to choose from. */
  accounts?: readonly string[];
}

type Method = (typeof CURL_METHODS)[number];

export function curlSession({
  toolboxOf,
  gate,
  registries,
  connected,
  config,
  clock,
  curlTokens,
}: Needs): MetaTool {
  /** A session has to be good for something: for reading, or for one of the methods that it is asked for. */
  async function whyBlocked(
    caller: Identity,
    integration: Integration,
    methods: readonly Method[] = ['GET'],
  ) {
    const permissions = await gate.permissionsOf(caller);
    if (permissions.isOpen) return null;
    const tools = await registries.toolsOf(caller.userId, integration);
    const verdicts = methods.map((method) => permissions.ofRequest(integration, tools, [method]));
    const [first] = verdicts;
    return first === undefined || verdicts.some(({ decision }) => decision !== 'block')
      ? null
      : describeBlocked(integration, gate.blockedText(first, `raw requests to ${integration.displayName}`));
  }

  async function whyNot(
    caller: Identity,
    name: string,
    methods: readonly Method[] | undefined,
    account: string | undefined,
    accounts: Record<string, BoundAccount>,
  ): Promise<Refusal | null> {
    const { userId } = caller;
    const integration = await registries.integration(userId, name);
    if (integration === null)
      return withNearest(
        { error: ErrorText.INTEGRATION_NOT_FOUND, integration: name },
        (await toolboxOf(caller)).nearest.integrations(name),
      );
    if (integration.api === undefined || integration.auth.type === 'none')
      return { error: 'integration does not support curl proxy', integration: name };
    const blocked = await whyBlocked(caller, integration, methods);
    if (blocked !== null) return blocked;
    const choice = await connected.choose(userId, integration, { account, access: 'read' });
    // The token names the account of the team, so that a person who connects an account of their own is not taken for it.
    if (account !== undefined || (choice?.kind === 'chosen' && choice.isOnly)) {
      if (choice !== null && 'labels' in choice)
        return {
          error: codeOfChoice(choice),
          integration: name,
          message: howToChoose(integration, choice),
          accounts: choice.labels,
        };
      if (choice?.kind === 'chosen') {
        const { connection } = choice;
        accounts[name] = { account: connection.account, created_at: connection.created_at };
      }
    }
    if (await connected.one(userId, integration)) return null;
    return {
      error: ErrorCode.NOT_CONNECTED,
      integration: name,
      message: howToConnect(integration, config, caller.actor),
    };
  }

  return tool(
    'curl_session',
    'Get a short-lived token with which curl calls connected integrations through this gateway, without seeing their credentials. Answers {token, expiresIn, expiresAt, integrations: [{name, url}], example}: after the url comes the path of the integration’s own API.',
    () => ({
      integrations: z
        .array(z.string())
        .min(1)
        .max(CURL_SESSION_MAX_INTEGRATIONS)
        .describe('Names from list_integrations'),
      ttlSeconds: z.int().positive().max(CURL_SESSION_MAX_SECONDS).default(CURL_SESSION_DEFAULT_SECONDS),
      methods: z.array(z.enum(CURL_METHODS)).min(1).optional().describe('Only these HTTP methods'),
      pathPrefix: z
        .string()
        .startsWith('/')
        .max(2_000)
        .optional()
        .describe('Only this path and what is below it'),
      account: z.string().optional().describe('Only this account, by its label, where there are several'),
    }),
    async ({ integrations, ttlSeconds, methods, pathPrefix, account }, caller) => {
      const { userId, actor, until = Infinity } = caller;
      const bound: Record<string, BoundAccount> = {};
      for (const name of integrations) {
        const reason = await whyNot(caller, name, methods, account, bound);
        if (reason !== null) return reason;
      }
      const accounts = account === undefined && Object.keys(bound).length === 0 ? undefined : bound;
      const now = clock.now();
      // The token ends with the credential that asked for it. A session is accepted for some seconds after its end.
      const seconds = Math.max(1, Math.min(ttlSeconds, until - now));
      const token = await curlTokens.issue(
        { userId, actor, integrations, methods, pathPrefix, accounts },
        seconds,
      );
      const places = integrations.map((name) => ({
        name,
        url: `${config.SERVER_PUBLIC_URL}/c/${name}`,
        ...(bound[name]?.account === TEAM_ACCOUNT ? { account: TEAM_LABEL } : {}),
      }));
      // The token is long, and agents pay for each character.
      const example = `curl ${methodFlag(methods)}-H "Authorization: Bearer $TOKEN" '${places[0]?.url}${quotable(pathPrefix)}'`;
      return {
        token,
        expiresIn: seconds,
        expiresAt: now + seconds,
        integrations: places,
        example,
      };
    },
    'write',
  );
}

/** Returns the path when it is safe between the single quotes of a shell, else `/`. */
function quotable(path = '/'): string {
  return /^[\w/.~%@:+,;=!$&()*-]+$/.test(path) ? path : '/';
}

/** Chooses a method for the example that the session allows. */
function methodFlag([method = 'GET', ...others]: readonly string[] = []): string {
  if (method === 'GET' || others.includes('GET')) return '';
  return method === 'HEAD' ? '--head ' : `-X ${method} `;
}
