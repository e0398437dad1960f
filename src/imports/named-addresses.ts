// Reads out of a page, a script or a catalogue where the description of a service is. All of it comes from outside.
import { isObject } from '../json/json.ts';

export interface Named {
  address: string;
  /** What the page calls it, when it offers several. */
  title?: string;
}

const MAX_NAMED = 20;
const MAX_TITLE = 100;

/** Attributes of the elements that show a description: Redoc, RapiDoc, Scalar and Stoplight. */
const ATTRIBUTES =
  /\s(?:spec-url|data-url|apiDescriptionUrl|api-description-url|specUrl)\s*=\s*(["'])([^"'<>]{1,2000})\1/gi;
const LINKS = /<link\s[^>]{0,2000}>/gi;
const SCRIPTS = /<script\s[^>]{0,500}?\bsrc\s*=\s*(["'])([^"'<>]{1,2000})\1/gi;
/** Swagger UI and others: `url: "/openapi.json"`, `const schemaUrl = "/schema"`, `Redoc.init("/openapi.json"`. */
const OPTIONS =
  /\b(?:url|configUrl|specUrl|schemaUrl|openapiUrl|spec_url|schema_url)["']?\s{0,9}[:=]\s{0,9}(["'`])([^"'`\s<>]{1,2000})\1/g;
const INIT =
  /\b(?:Redoc\.init|createApiReference|SwaggerUI)\s{0,9}\(\s{0,9}(?:["'`]#[\w-]{1,100}["'`]\s{0,9},\s{0,9})?(["'`])([^"'`\s<>]{1,2000})\1/g;
/** Swagger UI with several: `urls: [{"url": "/a.json", "name": "A"}]`, the members in either order. */
const CHOICES =
  /\{\s{0,9}["']?(url|name)["']?\s{0,9}:\s{0,9}(["'])([^"'\n]{1,500})\2\s{0,9},\s{0,9}["']?(url|name)["']?\s{0,9}:\s{0,9}(["'])([^"'\n]{1,500})\5/g;
/** A text that looks like the address of a description, wherever the page has it. */
const QUOTED = /(["'`])([\w~%.:/-]{5,400})\1/g;
const LIKELY = /(openapi|swagger|api-docs|\bschema\b)[\w~%./-]*\.(json|ya?ml)$|\/api-docs(\/[\w-]+)?$/i;

/** Lists what a page says is its description, the surest first. */
export function namedInPage(html: string, address: string): Named[] {
  const links = [...html.matchAll(LINKS)].flatMap(([link]) => {
    const relation = attributeOf(link, 'rel')?.toLowerCase().split(/\s+/) ?? [];
    const href = attributeOf(link, 'href');
    return href !== undefined && relation.includes('service-desc') ? [{ address: href }] : [];
  });
  return resolve([...links, ...second(html, ATTRIBUTES), ...inScript(html)], address);
}

/** Lists what a script of Swagger UI is set up with. */
export function namedInScript(script: string, address: string): Named[] {
  return resolve(inScript(script), address);
}

/** Lists the scripts of a page that set up Swagger UI or one of its like. */
export function setUpScripts(html: string, address: string): string[] {
  const sources = [...html.matchAll(SCRIPTS)].map(([, , source = '']) => source);
  const own = sources.filter((source) =>
    /swagger-initializer|swagger-ui-init|init\.js|redoc-init|scalar/i.test(source),
  );
  return resolve(
    own.map((source) => ({ address: source })),
    address,
  )
    .map(({ address: script }) => script)
    .filter((script) => new URL(script).origin === new URL(address).origin)
    .slice(0, 2);
}

/** Reads the configuration of Swagger UI, as springdoc publishes it. */
export function namedInConfiguration(value: unknown, address: string): Named[] {
  if (!isObject(value)) return [];
  const { url, urls } = value;
  const several = (Array.isArray(urls) ? urls : []).flatMap((each: unknown): Named[] =>
    isObject(each) && typeof each['url'] === 'string'
      ? [{ address: each['url'], ...(typeof each['name'] === 'string' ? { title: each['name'] } : {}) }]
      : [],
  );
  return resolve([...several, ...(typeof url === 'string' ? [{ address: url }] : [])], address);
}

/** RFC 9727 §2 and RFC 9264 §4.2: a linkset whose entries have `service-desc`, or items that are catalogues themselves. */
export function namedInCatalogue(value: unknown, address: string): Named[] {
  const entries = isObject(value) && Array.isArray(value['linkset']) ? value['linkset'] : [];
  const found = entries.slice(0, 200).flatMap((entry: unknown): Named[] => {
    if (!isObject(entry)) return [];
    const targets = entry['service-desc'];
    return (Array.isArray(targets) ? targets : []).flatMap((target: unknown): Named[] => {
      if (!isObject(target) || typeof target['href'] !== 'string') return [];
      const title = typeof target['title'] === 'string' ? target['title'] : entry['anchor'];
      return [{ address: target['href'], ...(typeof title === 'string' ? { title } : {}) }];
    });
  });
  return resolve(found, address);
}

/** RFC 8288 §3: the header of any answer may name the description. */
export function namedInHeader(header: string | null, address: string): Named[] {
  const found = [...(header ?? '').matchAll(/<([^<>\s]{1,2000})>((?:\s*;[^,<]{0,300}){0,9})/g)].flatMap(
    ([, target = '', parameters = '']) =>
      /;\s*rel\s*=\s*"?[^",;]*\bservice-desc\b/i.test(parameters) ? [{ address: target }] : [],
  );
  return resolve(found, address);
}

function inScript(text: string): Named[] {
  const choices = [...text.matchAll(CHOICES)].flatMap(
    ([, first, , one = '', next, , other = '']): Named[] => {
      if (first === next) return [];
      return first === 'url' ? [{ address: one, title: other }] : [{ address: other, title: one }];
    },
  );
  const likely = second(text, QUOTED).filter(({ address }) => LIKELY.test(address));
  return [...choices, ...second(text, OPTIONS), ...second(text, INIT), ...likely];
}

const second = (text: string, pattern: RegExp): Named[] =>
  [...text.matchAll(pattern)].map(([, , address = '']) => ({ address }));

function attributeOf(tag: string, name: string): string | undefined {
  const [, , value] = new RegExp(`\\s${name}\\s*=\\s*(["'])([^"'<>]{1,2000})\\1`, 'i').exec(tag) ?? [];
  return value;
}

/** Keeps each address once, without what is no address of the web. */
function resolve(named: readonly Named[], base: string): Named[] {
  const found = new Map<string, Named>();
  for (const { address, title } of named) {
    const url = URL.parse(address.replaceAll('&amp;', '&'), base);
    if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) continue;
    if (url.username !== '' || url.password !== '') continue;
    url.hash = '';
    if (url.href === base || found.has(url.href)) continue;
    found.set(url.href, {
      address: url.href,
      ...(title === undefined ? {} : { title: title.slice(0, MAX_TITLE) }),
    });
    if (found.size === MAX_NAMED) break;
  }
  return [...found.values()];
}
