// Reads what a server says about apps, of a tool and of a page. Nothing in it is trusted. MCP Apps, SEP-1865
import { isObject } from '../../json/json.ts';
import {
  APP_PERMISSIONS,
  type AppCsp,
  type AppMeta,
  type AppPermissions,
  CSP_MEMBERS,
  type Visibility,
} from '../../kit/tool-app.ts';

const MAX_URI = 1_000;
const MAX_DOMAINS = 50;
const MAX_DOMAIN = 300;
/** A host writes each entry into a policy as it is, so an entry must not end its directive or be a keyword. */
const DOMAIN = /^[\w.~:/?@!$&()+=%*[\]-]+$/;

/** The address of a tool's page, and who may call the tool. An address that does not name a page is left out. */
export interface ToolUi {
  appUri?: string;
  visibility?: readonly Visibility[];
}

export function readToolUi(meta: unknown): ToolUi {
  if (!isObject(meta)) return {};
  const ui = isObject(meta['ui']) ? meta['ui'] : {};
  // The flat member is the deprecated form of the same.
  const uri = ui['resourceUri'] ?? meta['ui/resourceUri'];
  const { visibility } = ui;
  return {
    ...(isPageUri(uri) ? { appUri: uri } : {}),
    ...(Array.isArray(visibility) ? { visibility: BOTH.filter((who) => visibility.includes(who)) } : {}),
  };
}

const BOTH = ['model', 'app'] as const satisfies Visibility[];

const isPageUri = (uri: unknown): uri is string =>
  typeof uri === 'string' && /^ui:\/\/[\x21-\x7e]+$/.test(uri) && uri.length <= MAX_URI;

/**
 * Reads the settings of a page. What a person could not be told in words is left out, and so is an entry that would change
 * more of the host's policy than its own: what goes to hosts is never wider than what the server has said. Null where
 * nothing is said.
 */
export function readAppMeta(meta: unknown): { value: AppMeta; dropped: string[] } | null {
  const ui = isObject(meta) ? meta['ui'] : undefined;
  if (!isObject(ui)) return null;
  const dropped: string[] = [];
  const csp = readCsp(ui['csp'], dropped);
  const permissions = readPermissions(ui['permissions'], dropped);
  const { prefersBorder } = ui;
  const value = {
    ...(csp === null ? {} : { csp }),
    ...(permissions === null ? {} : { permissions }),
    ...(typeof prefersBorder === 'boolean' ? { prefersBorder } : {}),
  };
  return { value, dropped };
}

function readCsp(given: unknown, dropped: string[]): AppCsp | null {
  if (!isObject(given)) return null;
  const csp: AppCsp = {};
  for (const member of CSP_MEMBERS) {
    const listed = given[member];
    if (!Array.isArray(listed)) continue;
    const good = listed.filter((entry) => typeof entry === 'string' && isDomain(entry)).slice(0, MAX_DOMAINS);
    if (good.length < listed.length) dropped.push(member);
    csp[member] = good;
  }
  return csp;
}

const isDomain = (entry: string): boolean => entry.length <= MAX_DOMAIN && DOMAIN.test(entry);

function readPermissions(given: unknown, dropped: string[]): AppPermissions | null {
  if (!isObject(given)) return null;
  const known = APP_PERMISSIONS.filter((name) => isObject(given[name]));
  if (known.length < Object.keys(given).length) dropped.push('permissions');
  return Object.fromEntries(known.map((name) => [name, {}]));
}
