// What a gateway says at its start: where it is, and what the operator should know.
import { warnOfNoSealing } from '../../src/record/sealing/sealing.ts';
import { type Config, isSecretVariable, isVariable, misspeltVariables } from '../../src/config/config.ts';
import { hintOf } from '../../src/config/misspelt.ts';
import { warnOfStrayClients } from '../../src/connections/oauth/stray-clients.ts';
import type { Deps } from '../../src/deps.ts';
import { describe } from '../../src/http/errors.ts';
import { findChromium } from '../../drivers/browser/find-chromium.ts';
import { BrowserStartFailed } from '../../src/ports/browser.ts';
import { warnOfPlainAddress } from '../../src/egress/plain-address.ts';
import { findOpenProviders, findUngroupedProvider } from '../../src/login/admission.ts';
import { findUnusableProviders } from '../../src/login/check-providers.ts';
import { enabledProviders, incompleteProviders } from '../../src/login/providers.ts';
import { checkKey } from '../../src/maintenance/key-check.ts';
import { warnOfNoAdministrator } from '../../src/people/no-administrator.ts';
import { type localOwner, portalLink } from './owner.ts';
import type { NodePorts } from './ports.ts';

const UNGROUPED = {
  hosted: 'IDP_MEMBER_GROUP does not hold at the hosted provider',
  idp: 'HOSTED_MEMBER_GROUP does not hold at the idp',
};
const NO_BLOB = 'health/ready';

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
  const { blobs, config, log } = deps;
  for (const misspelt of misspeltVariables(process.env))
    log.write('warn', 'unknown variable', { variable: misspelt.variable, hint: hintOf(misspelt) });
  for (const { variable, hint } of [...idleSecrets(deps, process.env), ...idleFiles(process.env)])
    log.write('warn', 'variable without effect', { variable, hint });
  warnOfPlainAddress(deps);
  warnOfNoBrowser(deps);
  for (const warning of serverWarnings) log.write('warn', 'mcp servers', { hint: warning });
  for (const incomplete of incompleteProviders(config))
    log.write('warn', 'nobody can sign in with this provider', incomplete);
  for (const open of findOpenProviders(config)) log.write('warn', 'sign-in is open to strangers', open);
  const ungrouped = findUngroupedProvider(config);
  if (ungrouped !== null) log.write('warn', UNGROUPED[ungrouped.provider], ungrouped);
  warnOfNoSealing(deps);
  await warnOfNoAdministrator(deps);
  await checkKey(deps);
  await warnOfStrayClients(deps);
  // The gateway serves meanwhile. A wrong key or bucket would otherwise show at somebody's first upload.
  if (config.BLOBS_URL.kind === 's3')
    blobs
      .get(NO_BLOB)
      .then((found) => found?.body.cancel())
      .catch((error: unknown) => log.write('error', 'bucket cannot be used', describe(error)));
  // A provider may take seconds, or come back later.
  void findUnusableProviders(deps).then((unusable) => {
    if (stopping.aborted) return;
    for (const { provider, hint, error } of unusable)
      log.write('warn', 'sign-in provider cannot be used', { provider, hint, ...describe(error) });
  });
}

/** A path that is wrong would otherwise show at somebody's first sign-in in the live view. */
function warnOfNoBrowser({ config, log }: Pick<Deps, 'config' | 'log'>): void {
  if (config.CHROMIUM_PATH === undefined) return;
  try {
    findChromium(config.CHROMIUM_PATH);
  } catch (error) {
    if (!(error instanceof BrowserStartFailed)) throw error;
    log.write('warn', 'CHROMIUM_PATH cannot be used', { hint: error.message });
  }
}

/** The secret of an OAuth client without its id. */
function idleSecrets({ config, registry }: Pick<Deps, 'config' | 'registry'>, env: NodeJS.ProcessEnv) {
  return registry.integrations
    .filter(({ name, auth }) => auth.type === 'oauth2' && config.clients[name] === undefined)
    .flatMap(({ name }) => {
      const secret = `${name.toUpperCase()}_CLIENT_SECRET`;
      const hint = `it counts together with ${name.toUpperCase()}_CLIENT_ID only: set that too`;
      return [secret, `${secret}_FILE`]
        .filter((variable) => isSet(env[variable]))
        .map((variable) => ({ variable, hint }));
    });
}

/** Only secrets are read from files. */
function idleFiles(env: NodeJS.ProcessEnv) {
  return Object.keys(env).flatMap((variable) => {
    const name = /^(.+)_FILE$/.exec(variable)?.[1] ?? '';
    if (!isVariable(name) || isSecretVariable(name) || !isSet(env[variable])) return [];
    return [{ variable, hint: `only secrets are read from files: set ${name}` }];
  });
}

const isSet = (value = ''): boolean => value.trim() !== '';
