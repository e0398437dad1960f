// What a gateway says at its start: where it is, and what the operator should know.
import { warnOfNoSealing } from '../../src/record/sealing/sealing.ts';
import { type Config, misspeltVariables } from '../../src/config/config.ts';
import { warnOfStrayClients } from '../../src/connections/oauth/stray-clients.ts';
import type { Deps } from '../../src/deps.ts';
import { describe } from '../../src/http/errors.ts';
import { findOpenProviders, findUngroupedProvider } from '../../src/login/admission.ts';
import { findUnusableProviders } from '../../src/login/check-providers.ts';
import { enabledProviders, incompleteProviders } from '../../src/login/providers.ts';
import { checkKey } from '../../src/maintenance/key-check.ts';
import { warnOfNoAdministrator } from '../../src/people/no-administrator.ts';
import { type localOwner, portalLink } from './owner.ts';
import type { NodePorts } from './ports.ts';

export async function banner(config: Config, owner: Awaited<ReturnType<typeof localOwner>>): Promise<string> {
  const lines = [
    '',
    `  Tool gateway   ${config.SERVER_PUBLIC_URL}`,
    `  MCP            ${config.SERVER_PUBLIC_URL}/mcp`,
  ];
  if (owner !== null) {
    lines.push(`  Portal         ${portalLink(config, owner.session)}`);
    lines.push(`  API key        ${owner.firstKey ?? 'shown in the portal'}`);
  } else if (enabledProviders(config).length === 0) {
    lines.push('  Sign in        no provider is set up: npm run seed makes users');
  }
  return [...lines, ''].join('\n');
}

/** Says what the operator should know. Of several processes one says it. */
export async function warn({ serverWarnings }: NodePorts, deps: Deps, stopping: AbortSignal): Promise<void> {
  const { config, log } = deps;
  for (const { variable, meant } of misspeltVariables(process.env))
    log.write('warn', 'unknown variable', { variable, hint: `did you mean ${meant}?` });
  for (const warning of serverWarnings) log.write('warn', 'mcp servers', { hint: warning });
  for (const incomplete of incompleteProviders(config))
    log.write('warn', 'nobody can sign in with this provider', incomplete);
  for (const open of findOpenProviders(config)) log.write('warn', 'sign-in is open to strangers', open);
  const ungrouped = findUngroupedProvider(config);
  if (ungrouped !== null)
    log.write('warn', 'IDP_MEMBER_GROUP does not hold at the hosted provider', ungrouped);
  warnOfNoSealing(deps);
  await warnOfNoAdministrator(deps);
  await checkKey(deps);
  await warnOfStrayClients(deps);
  // The gateway serves meanwhile: a provider may take seconds, or come back later.
  void findUnusableProviders(deps).then((unusable) => {
    if (stopping.aborted) return;
    for (const { provider, hint, error } of unusable)
      log.write('warn', 'sign-in provider cannot be used', { provider, hint, ...describe(error) });
  });
}
