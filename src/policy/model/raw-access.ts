// Says what a raw request can do at most: its method decides, and where methods mean nothing, everything. reference: Rules
import { type Access, ACCESS_LEVELS, isWithin } from '../../kit/access.ts';
import type { Integration, RawTool, Tool } from '../../kit/integration.ts';
import { readRawPath } from './path-template.ts';

/** A method of another spelling is not known: a server may take it for any of these. RFC 9110 §9.1 */
const KNOWN: ReadonlyMap<string, Access> = new Map([
  ['GET', 'read'],
  ['HEAD', 'read'],
  ['OPTIONS', 'read'],
  ['POST', 'write'],
  ['PUT', 'write'],
  ['PATCH', 'write'],
  ['DELETE', 'destroy'],
]);

export const accessOfMethod = (method: string): Access => KNOWN.get(method) ?? 'destroy';

/** Whether the method does not tell what a request does: another part of the request does, or the method is unknown. */
function isMethodMeaningless({ api }: Pick<Integration, 'api'>, method: string): boolean {
  if (!KNOWN.has(method)) return true;
  const meaning = api?.methodsMeanNothing;
  return meaning === true || (meaning === 'except GET' && accessOfMethod(method) !== 'read');
}

/** What a request with this method may turn out to do. A rule for any of these levels holds for it. */
export function rawAccesses(integration: Pick<Integration, 'api'>, method: string): readonly Access[] {
  return isMethodMeaningless(integration, method) ? ACCESS_LEVELS : [accessOfMethod(method)];
}

/** What a request can do at most that a server may take for any of these methods. */
export function highestAccess(integration: Pick<Integration, 'api'>, methods: readonly string[]): Access {
  return highestOf(methods.flatMap((method) => rawAccesses(integration, method)));
}

export const highestOf = (levels: readonly Access[]): Access =>
  ACCESS_LEVELS.findLast((level) => levels.includes(level)) ?? 'destroy';

interface Requested {
  /** Those that a server may take the request for. */
  methods: readonly string[];
  /** Follows the base of the API. */
  path: string;
}

/** Whether somebody has said that the operation does more than its method says, such as a GET that deletes. */
export const isRaised = ({ access, request }: RawTool): boolean =>
  request !== undefined && !isWithin(access, accessOfMethod(request.method));

/** A raised access level holds for the raw request of the operation too. The tools are those that are raised. */
export function raisedAccesses(
  { api }: Pick<Integration, 'api'>,
  tools: readonly RawTool[],
  { methods, path }: Requested,
): readonly Access[] {
  const raised = tools.flatMap(({ access, request }) =>
    request !== undefined && methods.some((method) => isServedAs(method, request.method))
      ? [{ access, request }]
      : [],
  );
  if (raised.length === 0) return [];
  const base = typeof api?.base === 'string' ? api.base : '';
  const fits = readRawPath(`${pathOf(base)}${path}`);
  const reached = raised.filter(({ request }) => fits(`${pathOf(request.base ?? base)}${request.path}`));
  return [...new Set(reached.map(({ access }) => access))];
}

/** Servers run what they have for GET when they are asked for the head alone. */
const isServedAs = (method: string, served: string): boolean =>
  method === served || (method === 'HEAD' && served === 'GET');

const pathOf = (address: string): string => URL.parse(address)?.pathname.replace(/\/+$/, '') ?? '';

/** What a call of the tool can do at most. The value is what its `parse` returned. */
export function accessOfCall(integration: Integration, tool: Tool, value: unknown): Access {
  if (tool.methodsOf !== undefined) return highestAccess(integration, tool.methodsOf(value));
  const others = tool.otherMethodsOf?.(value) ?? [];
  return highestOf([tool.access, ...others.flatMap((method) => rawAccesses(integration, method))]);
}

/** Whether a raw request with this method could do what the tool does. */
export function isOfKind(integration: Pick<Integration, 'api'>, tool: RawTool, method: string): boolean {
  if (isMethodMeaningless(integration, method) || tool.methodsOf !== undefined) return true;
  const access = accessOfMethod(method);
  if (tool.access === access || tool.request?.method === method) return true;
  // A tool that does not name its request may change something by any method that can.
  return tool.request === undefined && tool.access !== 'read' && access !== 'read';
}
