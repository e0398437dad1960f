// Makes `<integration>_request`: any call of an integration's API that no designed tool covers. decision: 034
import * as z from 'zod';
import { writeJson } from '../json/exact-integers.ts';
import { readBytes, textOf } from './binary.ts';
import { isFileReference, nameInPath, renderFile, type ToolFiles } from './files.ts';
import { type Tool, tool, type UpstreamCall } from './integration.ts';
import { possibleMethods } from './possible-methods.ts';
import { readPayload } from './payload.ts';
import { isSafePath } from './safe-path.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** `example` is a path of the API: it shows which part of the address is the base. */
export function requestTool(integration: string, displayName: string, example: string | undefined): Tool {
  const request = tool(
    `${integration}_request`,
    `Send any other request to the API of ${displayName}, with the stored credential. Prefer a tool made for the task where there is one.`,
    () => ({
      method: z.enum(METHODS).default('GET').describe('HTTP method'),
      path: z
        .string()
        .startsWith('/')
        .refine(isSafeTarget, 'must be percent-encoded, without "//" at its start, "#", "." or ".." segments')
        .describe(describePath(example)),
      query: z
        .record(z.string(), z.string())
        .optional()
        .describe('Query parameters, not yet encoded, such as {"page":"2"}'),
      body: z
        .unknown()
        .optional()
        .describe('Request body, sent as JSON; file:<handle> sends the bytes of a kept file'),
    }),
    async ({ method, path, query, body }, { upstream, files }) => {
      const sent = await encodeBody(body, files);
      const answer = await upstream({ method, path, query: new URLSearchParams(query), ...sent });
      return read(answer, nameInPath(path), files);
    },
    'destroy',
  );
  return {
    name: request.name,
    description: request.description,
    access: request.access,
    // A spread would build every schema at the start.
    get schema() {
      return request.schema;
    },
    methodsOf(value) {
      const { method, path, query = {}, body } = Sent.parse(value);
      const search = `${path.slice(path.indexOf('?') + 1)}&${new URLSearchParams(query)}`;
      // A kept file may be a form.
      return possibleMethods(method, { search, hasForm: isFileReference(body) });
    },
    parse: (args) => request.parse(args),
    run: (value, context) => request.run(value, context),
  };
}

const Sent = z.object({
  method: z.enum(METHODS),
  path: z.string(),
  query: z.record(z.string(), z.string()).optional(),
  body: z.unknown().optional(),
});

function describePath(example: string | undefined): string {
  const described = 'Path after the API base, percent-encoded';
  return example === undefined ? described : `${described}, such as ${example}`;
}

async function encodeBody(body: unknown, files: ToolFiles): Promise<Pick<UpstreamCall, 'body' | 'headers'>> {
  if (body === undefined) return {};
  if (!isFileReference(body))
    return { body: writeJson(body), headers: { 'content-type': 'application/json' } };
  const { bytes, mimeType } = await files.read(body);
  return { body: bytes, headers: { 'content-type': mimeType } };
}

/** The path may contain a query. The curl proxy refuses the same paths. */
function isSafeTarget(target: string): boolean {
  const question = target.indexOf('?');
  return question === -1
    ? isSafePath(target, '')
    : isSafePath(target.slice(0, question), target.slice(question));
}

/** Reads binary answers as bytes: an archive or a picture decoded as text is damaged. */
async function read(answer: Response, name: string, files: ToolFiles): Promise<unknown> {
  const type = answer.headers.get('content-type') ?? '';
  if (/^text\/|\bjson\b/i.test(type)) return readPayload(answer);
  const bytes = await readBytes(answer);
  const text = textOf(bytes);
  if (text === null) return renderFile(files, { bytes, name, mimeType: type });
  return text === '' ? {} : text;
}
