// Tests the sign-in to MCP servers against real ones, with oidc-provider as their authorization server. reference: Connecting an integration
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createBrowser } from '../support/browser.ts';
import { signInAt } from '../support/gateway-site.ts';
import { type ImportProvider, startImportProvider } from '../support/import-provider.ts';
import { call } from '../support/mcp.ts';
import { type ProtectedMcp, startProtectedMcp } from '../support/protected-mcp.ts';
import { BASE, createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

describe.each([1, 2] as const)('a server made with version %s of the SDK', (sdk) => {
  let provider: ImportProvider;
  let server: ProtectedMcp;
  let app: TestApp;
  let ana: TestUser;

  beforeEach(async () => {
    provider = await startImportProvider();
    server = await startProtectedMcp(sdk, provider);
    app = await createTestApp({
      now: Math.floor(Date.now() / 1000),
      ports: { integrations: [server.integration('remote')] },
    });
    ana = await app.user();
  });
  afterEach(async () => {
    await app.close();
    await server.close();
    await provider.close();
  });

  it('is connected by registration and called with the token of the person', async () => {
    const browser = createBrowser({ servers: { [BASE]: app.fetch } });
    const { url } = await call(app, ana.keyHeader, 'connect', { integration: 'remote' });
    const arrived = await signInAt(browser, await browser.open(url), 'ana');
    expect(arrived.url.href).toContain('#connected=remote');
    const { results } = await call(app, ana.keyHeader, 'execute_tools', {
      executions: [{ tool: 'remote_whoami', args: {} }],
    });
    expect(results).toEqual([{ result: 'ana' }]);
  });
});
