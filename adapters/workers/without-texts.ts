// Leaves the texts of the integrations and the descriptions of the routes out of a bundle: a Worker reads them from the portal's
// files. Transforms of the sources, because texts belong beside what they describe. decision: 066
import type { Plugin } from 'rolldown';

const INTEGRATION = /\/integrations\/\w+\/[\w-]+\.ts$/;
/** The files that declare what OpenAPI says of the routes. */
const DESCRIBES = /\/src\/.*(operations|feature)\.ts$/;
/** The files whose only export is such a text. */
const WHOLE = /\/(logo|words)\.ts$/;
const TOOL = /^[a-z0-9]+(_[a-z0-9]+)+$/;
const REQUEST = /^(GET|HEAD|POST|PUT|PATCH|DELETE) /;

/** A part of the program, as the parser gives it. */
interface Node {
  type: string;
  start: number;
  end: number;
  [member: string]: unknown;
}

interface Cut {
  start: number;
  end: number;
  by: string;
}

export const withoutTexts: Plugin = {
  name: 'without-texts',
  transform: {
    filter: { id: INTEGRATION },
    handler(code, id) {
      const nodes = nodesOf(this.parse(code, { lang: 'ts' }));
      const isWhole = WHOLE.test(id);
      return without(
        code,
        nodes.flatMap((node) => (isWhole ? wholeText(node) : texts(node, code))),
      );
    },
  },
};

export const withoutOperations: Plugin = {
  name: 'without-operations',
  transform: {
    filter: { id: DESCRIBES },
    handler(code) {
      return without(code, nodesOf(this.parse(code, { lang: 'ts' })).flatMap(operationsIn));
    },
  },
};

function without(code: string, cuts: readonly Cut[]): string {
  // The last comes first, so that the places of the others stay as they are.
  const ordered = cuts.toSorted((one, other) => other.start - one.start);
  return ordered.reduce((left, { start, end, by }) => left.slice(0, start) + by + left.slice(end), code);
}

/** `export const logo = …` and `export const words: Words = …` keep nothing. */
function wholeText(node: Node): Cut[] {
  if (node.type !== 'VariableDeclarator' || !isNode(node['init']) || !isNode(node['id'])) return [];
  const by = { logo: "''", words: '{}' }[String(node['id']['name'])];
  const { start, end } = node['init'];
  return by === undefined ? [] : [{ start, end, by }];
}

/** `export const …: Operations = …` and `schemas: …` of a feature keep nothing. */
function operationsIn({ type, id, init, key, value }: Node): Cut[] {
  if (type === 'VariableDeclarator' && isNode(id) && isNode(init) && isOperations(id))
    return [{ start: init.start, end: init.end, by: '() => ({})' }];
  if (type === 'Property' && isNode(key) && key['name'] === 'schemas' && isNode(value))
    return [{ start: value.start, end: value.end, by: '() => []' }];
  return [];
}

function isOperations({ typeAnnotation: written }: Node): boolean {
  if (!isNode(written) || !isNode(written['typeAnnotation'])) return false;
  const { typeName } = written['typeAnnotation'];
  return isNode(typeName) && typeName['name'] === 'Operations';
}

/** `.describe(…)` goes, and the description of a tool, which follows its name or its request. */
function texts(node: Node, code: string): Cut[] {
  const { callee, arguments: given } = node;
  if (node.type !== 'CallExpression' || !isNode(callee) || !Array.isArray(given)) return [];
  const { object, property } = callee;
  if (isNode(object) && isNode(property) && property['name'] === 'describe')
    return [{ start: object.end, end: node.end, by: '' }];
  const [name, ...others]: unknown[] = given;
  if (!isNode(name) || typeof name['value'] !== 'string' || !TOOL.test(name['value'])) return [];
  const isText = (each: unknown): each is Node =>
    isNode(each) &&
    /^(Literal|TemplateLiteral)$/.test(each.type) &&
    /^['"`].* /.test(code.slice(each.start, each.end)) &&
    !REQUEST.test(code.slice(each.start + 1, each.end));
  return others
    .slice(0, 2)
    .filter(isText)
    .map(({ start, end }) => ({ start, end, by: "''" }));
}

/** All parts of the program, without those inside of a text that goes. */
function nodesOf(part: unknown): Node[] {
  if (Array.isArray(part)) return part.flatMap(nodesOf);
  if (typeof part !== 'object' || part === null) return [];
  const below = Object.values(part).flatMap(nodesOf);
  return isNode(part) ? [part, ...below] : below;
}

function isNode(part: unknown): part is Node {
  return typeof part === 'object' && part !== null && 'type' in part && 'start' in part && 'end' in part;
}
