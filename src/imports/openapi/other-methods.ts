// Says which methods a service may take the request of a call for: a form or a query may name another one. reference: Rules
import { isObject } from '../../json/json.ts';
import { possibleMethods } from '../../kit/possible-methods.ts';
import type { OperationBody, OperationRecipe } from './operation.ts';

/** A kept file of such a type may be a form, whose fields nobody knows. */
const MAY_BE_FORM = /^(?:\*|application|multipart)\/(?:\*|.*form)/i;

/** Those beside the method of the operation. */
export function otherMethodsOf(
  { body, method, parameters }: OperationRecipe,
  args: Record<string, unknown>,
): readonly string[] {
  const inQuery = parameters
    .filter((parameter) => parameter.in === 'query')
    .flatMap(({ argument, name }) => namesIn(name, ownValue(args, argument)));
  const names = [...inQuery, ...(body === undefined ? [] : fieldsOf(body, args))];
  const search = new URLSearchParams(names.map((name) => [name, ''])).toString();
  const hasForm = body?.encoding === 'bytes' && MAY_BE_FORM.test(body.contentType);
  return possibleMethods(method, { search, hasForm }).filter((possible) => possible !== method);
}

/** The names of the fields of a form. Other bodies have none. */
function fieldsOf(
  { argument, encoding, members }: OperationBody,
  args: Record<string, unknown>,
): readonly string[] {
  if (encoding !== 'form' && encoding !== 'multipart') return [];
  if (argument === undefined)
    return members.flatMap((member) =>
      member.argument === undefined ? [] : namesIn(member.name, ownValue(args, member.argument)),
    );
  const whole = ownValue(args, argument);
  // The caller has written the form.
  if (typeof whole === 'string') return [...new URLSearchParams(whole.replaceAll(';', '&')).keys()];
  return isObject(whole) ? Object.entries(whole).flatMap(([name, value]) => namesIn(name, value)) : [];
}

/** The members of an object may become fields of their own, see `explode`. */
function namesIn(name: string, value: unknown): string[] {
  if (value === undefined) return [];
  return [name, ...(isObject(value) ? Object.keys(value) : [])];
}

const ownValue = (args: Record<string, unknown>, name: string): unknown =>
  Object.hasOwn(args, name) ? args[name] : undefined;
