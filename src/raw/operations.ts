// Describes the raw door of an integration's API, in short: the upstream decides what it takes and answers. reference: Curl proxy
import { failure, type Operation, type Operations } from '../http/operation.ts';

const raw = (id: string, method: string, access: Operation['access']): Operation => ({
  id,
  tag: 'Raw HTTP',
  summary: `Send a ${method} to the API of an integration`,
  description:
    'The gateway adds the stored credential and streams both bodies unchanged. `path` is percent-encoded and may have slashes and a query. The token comes from the meta-tool `curl_session`.',
  access,
  caller: 'curl',
  replies: {
    200: { description: "The upstream's own response, with its status, headers and body", mediaType: '*/*' },
    400: failure('The path could leave the API'),
    401: failure('The token is missing, wrong or expired, or its key is deleted'),
    403: failure(
      'The token does not allow this integration, method or path, a rule blocks the request, or a person has to approve it first',
    ),
    409: failure('The integration is not connected any more, or it is not clear which account is meant'),
    429: failure('The person, or the key or client behind the token, has too many calls'),
    501: failure('This gateway runs at the edge without a Node gateway behind it'),
    502: failure('The upstream failed, or did not begin to answer'),
  },
});

export const rawOperations: Operations = () => ({
  'GET /c/:integration/:path': raw('rawGet', 'GET', 'read'),
  'POST /c/:integration/:path': raw('rawPost', 'POST', 'write'),
  'PUT /c/:integration/:path': raw('rawPut', 'PUT', 'write'),
  'PATCH /c/:integration/:path': raw('rawPatch', 'PATCH', 'write'),
  'DELETE /c/:integration/:path': raw('rawDelete', 'DELETE', 'destroy'),
});
