// Puts the arguments of a call into its address and its headers.
import { writeJson } from '../../json/exact-integers.ts';
import { isOverriding } from '../../kit/overriding-headers.ts';
import { isSafePath } from '../../kit/safe-path.ts';
import { isJsonType } from './media-types.ts';
import type { OperationParameter, OperationRecipe } from './operation.ts';
import { encode, encoderOf, type Pair, writeHeader, writePairs, writePath } from './styles.ts';

export interface Target {
  url: URL;
  headers: Record<string, string>;
}

// RFC 9110 §5.6.2
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const HEADER_VALUE = /^[\t\u0020-\u007e]*$/;
/** The gateway and the connection set these headers. */
const OWN_HEADERS =
  /^(accept|authorization|connection|content-length|content-type|cookie|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade|(proxy|sec)-.*)$/i;

/** `base` is the address of the service, without a slash at its end. */
export function buildTarget(recipe: OperationRecipe, args: Record<string, unknown>, base: string): Target {
  const given = recipe.parameters.map((parameter) => ({
    parameter,
    value: Object.hasOwn(args, parameter.argument) ? args[parameter.argument] : undefined,
  }));
  const inPlace = (place: OperationParameter['in']) =>
    given.filter(({ parameter }) => parameter.in === place);
  const path = fillPath(recipe.path, inPlace('path'));
  const query = inPlace('query')
    .flatMap(pairsOf)
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
  const search = query === '' ? '' : `?${query}`;
  const start = recipe.base ?? base;
  const url = URL.parse(`${start}${path}${search}`);
  if (!isSafePath(path, search) || url === null || url.origin !== new URL(base).origin)
    throw new Error(
      'These arguments make an address outside of the service. Give values without "..", backslashes and control characters',
    );
  const cookies = inPlace('cookie')
    .flatMap(pairsOf)
    .map(([name, value]) => `${name}=${value}`);
  return {
    url,
    headers: {
      ...Object.fromEntries(inPlace('header').flatMap(headerOf)),
      ...(cookies.length === 0 ? {} : { cookie: cookies.join('; ') }),
    },
  };
}

interface Given {
  parameter: OperationParameter;
  value: unknown;
}

function fillPath(template: string, given: readonly Given[]): string {
  return template
    .split(/(\{[^{}]+\})/)
    .map((part) => {
      const known = given.find(({ parameter }) => part === `{${parameter.name}}`);
      return known === undefined ? encodeLiteral(part) : segmentOf(known);
    })
    .join('');
}

/** The description may write characters that an address cannot hold. */
const encodeLiteral = (text: string): string =>
  text.replaceAll(/%(?![0-9a-fA-F]{2})|[^\w.~!$&'()*+,;=:@/%-]/gu, encode);

function segmentOf({ parameter, value }: Given): string {
  const { argument, name } = parameter;
  const text =
    parameter.contentType === undefined
      ? writePath(name, value, parameter)
      : contentOf(parameter, value, encode);
  if (text === null || text === '')
    throw new Error(`${argument} is a part of the address, so it cannot be empty`);
  if (text === '.' || text === '..') throw new Error(`"${text}" cannot be part of an address`);
  return text;
}

function pairsOf({ parameter, value }: Given): Pair[] {
  if (parameter.contentType === undefined) return writePairs(parameter.name, value, parameter);
  const text = contentOf(parameter, value, encoderOf(parameter));
  return text === null ? [] : [[encode(parameter.name), text]];
}

function headerOf({ parameter, value }: Given): Pair[] {
  const { argument, name } = parameter;
  const text =
    parameter.contentType === undefined
      ? writeHeader(value, parameter.explode)
      : contentOf(parameter, value, escapeUnicode);
  if (text === null) return [];
  if (!HEADER_NAME.test(name) || OWN_HEADERS.test(name))
    throw new Error(`The gateway sets the header ${name} itself`);
  // A tool that an earlier version stored may have such an argument.
  if (isOverriding(name))
    throw new Error(
      `The header ${name} may name another request, so it is not sent. Leave ${argument} out; a check of the import removes it`,
    );
  if (!HEADER_VALUE.test(text))
    throw new Error(`${argument} becomes a header, which takes ASCII characters without line breaks only`);
  return [[name, text]];
}

function contentOf(
  { contentType = '' }: OperationParameter,
  value: unknown,
  write: (text: string) => string,
): string | null {
  if (value === undefined) return null;
  return write(typeof value === 'string' && !isJsonType(contentType) ? value : writeJson(value));
}

/** JSON can say every character in ASCII. */
const escapeUnicode = (json: string): string =>
  json.replaceAll(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
