// Runs the Linear emulator behind a front that accepts only the newest token, and that removes from documents
// what the emulator's schema lacks.
import {
  buildClientSchema,
  getIntrospectionQuery,
  type GraphQLSchema,
  parse,
  parseType,
  print,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { type Emulator, type Front, startEmulator } from './emulators.ts';
import { BASE } from './test-app.ts';

export const ANA = 'ana@example.com';
const CLIENT = { id: 'the gateway', secret: 'the secret of the gateway' };

export interface LinearEmulator extends Emulator {
  /** Settings for the gateway's environment. */
  env: Record<string, string>;
  /** Ends the newest access token, as a revocation does. */
  revoke(): void;
  /** The responses to the next GraphQL requests. */
  script: Response[];
}

export async function startLinear(): Promise<LinearEmulator> {
  let newest = '';
  let known: GraphQLSchema | undefined;
  const script: Response[] = [];

  async function token(pass: () => Promise<Response>): Promise<Response> {
    const answer = await pass();
    if (answer.ok) newest = (await answer.clone().json()).access_token;
    return answer;
  }

  const front: Front = async (request, pass) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/oauth/token') return token(() => pass(request));
    if (pathname !== '/graphql') return pass(request);
    const bearer = request.headers.get('authorization');
    if (bearer !== `Bearer ${newest}`) return refusal('Authentication required, not authenticated');
    const scripted = script.shift();
    if (scripted !== undefined) return scripted;
    const headers = { authorization: bearer, 'content-type': 'application/json' };
    const ask = (body: object) =>
      pass(new Request(request.url, { method: 'POST', headers, body: JSON.stringify(body) }));
    known ??= buildClientSchema((await (await ask({ query: getIntrospectionQuery() })).json()).data);
    const { query, variables } = await request.json();
    return ask({ query: trimmed(query, known), variables });
  };

  const emulator = await startEmulator(
    'linear',
    {
      linear: {
        organization: { name: 'Acme', url_key: 'acme' },
        users: [{ email: ANA, name: 'Ana Müller', admin: true }],
        projects: [{ name: 'Umzug', team: 'ENG' }],
        oauth_apps: [
          {
            client_id: CLIENT.id,
            client_secret: CLIENT.secret,
            name: 'The gateway',
            redirect_uris: [`${BASE}/api/auth/plugin/linear/callback`],
            scopes: ['read', 'write'],
            actor: 'user',
          },
        ],
        strict_scopes: true,
      },
    },
    front,
  );
  const origins = ['https://linear.app', 'https://api.linear.app'];
  return {
    ...emulator,
    script,
    revoke: () => (newest = ''),
    env: {
      LINEAR_CLIENT_ID: CLIENT.id,
      LINEAR_CLIENT_SECRET: CLIENT.secret,
      UPSTREAM_MAP: origins.map((origin) => `${origin}=${emulator.url}`).join(),
    },
  };
}

// Linear answers a refused token with an HTTP status of its own (developer documentation, Rate limiting and
// errors).
function refusal(message: string): Response {
  const extensions = { type: 'authentication error', code: 'AUTHENTICATION_ERROR' };
  return Response.json({ errors: [{ message, extensions }] }, { status: 401 });
}

/** Removes the fields and arguments that the emulator lacks, and adapts the types of the variables. */
function trimmed(query: string, schema: GraphQLSchema): string {
  const types = new TypeInfo(schema);
  const wanted = new Map<string, string>();
  const kept = visit(
    parse(query),
    visitWithTypeInfo(types, {
      Field: () => (types.getFieldDef() ? undefined : null),
      Argument: () => (types.getArgument() ? undefined : null),
      Variable(node, key) {
        if (key === 'value') wanted.set(node.name.value, String(types.getInputType()));
      },
    }),
  );
  return print(
    visit(kept, {
      VariableDefinition(node) {
        const type = wanted.get(node.variable.name.value);
        return type === undefined ? null : { ...node, type: parseType(type) };
      },
    }),
  );
}
