// Says what a raw request can do at most: its method decides, and where methods mean nothing, everything. reference: Rules
import { type Access, ACCESS_LEVELS } from '../../kit/access.ts';
import type { Integration, RawTool, Tool } from '../../kit/integration.ts';

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
  const levels = methods.flatMap((method) => rawAccesses(integration, method));
  return ACCESS_LEVELS.findLast((level) => levels.includes(level)) ?? 'destroy';
}

/** What a call of the tool can do at most. The value is what its `parse` returned. */
export const accessOfCall = (integration: Integration, tool: Tool, value: unknown): Access =>
  tool.methodsOf === undefined ? tool.access : highestAccess(integration, tool.methodsOf(value));

/** Whether a raw request with this method could do what the tool does. */
export function isOfKind(integration: Pick<Integration, 'api'>, tool: RawTool, method: string): boolean {
  if (isMethodMeaningless(integration, method) || tool.methodsOf !== undefined) return true;
  const access = accessOfMethod(method);
  if (tool.access === access || tool.request?.method === method) return true;
  // A tool that does not name its request may change something by any method that can.
  return tool.request === undefined && tool.access !== 'read' && access !== 'read';
}
