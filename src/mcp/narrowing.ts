// Reads the query of /mcp, with which a client narrows what it may do itself. reference: MCP endpoint
import { editDistance } from '../config/edit-distance.ts';
import { JsonRpcCode } from '../http/error-codes.ts';
import type { Actor } from '../kit/actor.ts';
import { LimitsShape } from '../kit/limits.ts';
import type { RpcError } from './json-rpc.ts';

const PARAMETERS = ['access', 'integrations'];
const Narrowing = LimitsShape.pick({ access: true, integrations: true });
const ALLOWED =
  'allowed are access=read, access=write or access=destroy, and integrations=NAME,NAME with names from list_integrations, each once';

/** Returns the actor with one more limit, or the actor itself where the address has no query. */
export function narrowActor(actor: Actor, url: string): { actor: Actor } | { error: RpcError } {
  const start = url.indexOf('?');
  if (start === -1) return { actor };
  const query = new URLSearchParams(url.slice(start + 1));
  const wrong = [...query.keys()].find((name, at, names) => isMistyped(name) || isRepeated(name, at, names));
  if (wrong !== undefined) return refuse(wrong);
  const hidden = [...query].flatMap(([name, value]) =>
    PARAMETERS.includes(name) ? [] : namesIn(`${name}=${value}`),
  );
  const misplaced = hidden.find(isLikeParameter);
  if (misplaced !== undefined) return refuse(misplaced);
  const [access, integrations] = PARAMETERS.map((name) => query.get(name) ?? undefined);
  const parsed = Narrowing.safeParse({ access, integrations: integrations?.split(',') });
  if (!parsed.success) return refuse(String(parsed.error.issues[0]?.path[0] ?? ''));
  if (access === undefined && integrations === undefined) return { actor };
  return { actor: { ...actor, limits: [...actor.limits, parsed.data] } };
}

/** A misspelled parameter would leave the access unlimited without a word. */
const isMistyped = (name: string): boolean => !PARAMETERS.includes(name) && isLikeParameter(name);

function isLikeParameter(name: string): boolean {
  const plain = name.toLowerCase().replaceAll(/[^a-z]/g, '');
  return PARAMETERS.some(
    (known) => Math.abs(plain.length - known.length) <= 1 && editDistance(plain, known) <= 1,
  );
}

const SEPARATOR = /[;&?#,|\s[\]]/;

/**
 * Finds the names before an equals sign inside another parameter: people separate parameters with `;` or a second `?`, and
 * programs encode them twice. Such a parameter would narrow nothing.
 */
function namesIn(parameter: string): string[] {
  const text = parameter.replaceAll(/%3d/gi, '=').replaceAll(/%[0-9a-f]{2}/gi, ';');
  const befores = text.split('=').slice(0, -1);
  return befores.map((before) => before.replace(/\]$/, '').split(SEPARATOR).at(-1) ?? '');
}

const isRepeated = (name: string, at: number, names: readonly string[]): boolean =>
  PARAMETERS.includes(name) && names.indexOf(name) !== at;

function refuse(name: string): { error: RpcError } {
  const message = `Invalid Request: the parameter ${name} of the address is wrong: ${ALLOWED}`;
  return { error: { code: JsonRpcCode.INVALID_REQUEST, message } };
}
