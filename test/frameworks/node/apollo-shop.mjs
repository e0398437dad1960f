// A bike shop with Apollo Server. Whoever sends no Bearer token may read the schema only.
import { createServer } from 'node:http';
import { ApolloServer, HeaderMap } from '@apollo/server';

const received = [];
const typeDefs = `
  type Bike { id: Int!, name: String! }
  type Query { bikes(colors: [String!]!, limit: Int = 10): [Bike!]! }
  type Mutation { deleteBike(id: Int!): Boolean! }
`;
const note = (entry, answer) => {
  received.push(entry);
  return answer;
};
const resolvers = {
  Query: {
    bikes: (_, { colors, limit }) => note({ op: 'list', colors, limit }, [{ id: 42, name: 'a bike' }]),
  },
  Mutation: { deleteBike: (_, { id }) => note({ op: 'delete', id }, true) },
};
const apollo = new ApolloServer({ typeDefs, resolvers, introspection: true });
await apollo.start();

createServer(async (request, response) => {
  const json = (status, value) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  if (request.url === '/received') return json(200, received);
  if (request.url !== '/graphql') return json(404, {});
  const text = (await request.toArray()).join('');
  const isOpen = request.method === 'GET' || /__schema|__typename/.test(text);
  if (!isOpen && request.headers.authorization !== 'Bearer token-of-ana')
    return json(401, { errors: [{ message: 'Sign in' }] });
  const headers = new HeaderMap(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  );
  const {
    status,
    headers: answered,
    body,
  } = await apollo.executeHTTPGraphQLRequest({
    httpGraphQLRequest: {
      method: request.method,
      headers,
      search: '',
      body: text === '' ? {} : JSON.parse(text),
    },
    context: async () => ({}),
  });
  response.writeHead(status ?? 200, Object.fromEntries(answered)).end(body.string);
}).listen(Number(process.env.PORT), '127.0.0.1');
