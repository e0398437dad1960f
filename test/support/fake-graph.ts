// A fake Microsoft: the sign-in of one client at `common`, and Microsoft Graph with the answers of a test.
import { type FileObject, fileIn, putFile } from './files.ts';
import { type ApiCall, CLIENT, connectTo, type OAuthApi, startOAuthApi } from './fake-oauth-api.ts';
import { createPerson, type Person } from './person.ts';
import { createTestApp, type TestApp } from './test-app.ts';

export interface FakeGraph {
  /** The calls with a valid token, with their paths below /v1.0. */
  calls: ApiCall[];
  app: TestApp;
  /** A person who has connected the integration. */
  ana: Person;
  close(): Promise<void>;
}

const TOKEN = '/common/oauth2/v2.0/token';
const ORIGINS = ['https://login.microsoftonline.com', 'https://graph.microsoft.com'];

/** An error as Microsoft Graph answers it. */
export const refuse = (status: number, message: string): Response =>
  Response.json({ error: { code: 'Refused', message } }, { status });

/** Opens a gateway on which a person has connected the integration. `map` has more pairs for UPSTREAM_MAP. */
export async function startGraph(
  integration: string,
  answer: (call: ApiCall) => Response,
  ...map: string[]
): Promise<FakeGraph> {
  const calls: ApiCall[] = [];
  const microsoft: OAuthApi = await startOAuthApi(
    {
      tokenPath: TOKEN,
      refreshPath: TOKEN,
      body: 'form',
      clientAuth: 'post',
      rotates: true,
      expiresIn: 3600,
    },
    (call) => {
      if (!call.path.startsWith('/v1.0/')) return refuse(404, `no ${call.path}`);
      const below = { ...call, path: call.path.slice('/v1.0'.length) };
      if (below.path === '/me') return Response.json({ id: '7', userPrincipalName: 'ana@contoso.com' });
      calls.push(below);
      return answer(below);
    },
  );
  const variable = integration.toUpperCase();
  const app = await createTestApp({
    env: {
      [`${variable}_CLIENT_ID`]: CLIENT.id,
      [`${variable}_CLIENT_SECRET`]: CLIENT.secret,
      UPSTREAM_MAP: [...ORIGINS.map((origin) => `${origin}=${microsoft.url}`), ...map].join(','),
    },
  });
  const ana = await createPerson(app);
  const { end } = await connectTo(microsoft, { app, person: ana, integration });
  if (!end.includes('#connected=')) throw new Error(`${integration} was not connected: ${end}`);
  return {
    calls,
    app,
    ana,
    async close() {
      await app.close();
      await microsoft.close();
    },
  };
}

/** Keeps a file that is too large for an argument. */
export async function keepFile(
  { app, ana }: Pick<FakeGraph, 'app' | 'ana'>,
  name: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<FileObject> {
  const { uploadUrl } = Object(await ana.run('upload_file', { name }));
  return fileIn((await putFile(app, uploadUrl, bytes)).body);
}
