// Gives the resources of an imported server addresses in a set. Two imports never have the same one, and no client fetches it
// by itself. reference: Prompts and resources; decision: 060
import { isObject } from '../json/json.ts';

const SCHEME = 'import://';

export type AddressOf = (uri: string) => string;

/** The address behind the name is that of the server, letter by letter, so that the variables of a template stay what they are. */
export const addressIn =
  (importName: string): AddressOf =>
  (uri) =>
    `${SCHEME}${importName}/${uri}`;

/** Null for an address that is none of a set. */
export function readAddress(address: string): { importName: string; uri: string } | null {
  const [, importName, uri] = /^import:\/\/([a-z][a-z0-9_]*)\/(.+)$/s.exec(address) ?? [];
  return importName === undefined || uri === undefined ? null : { importName, uri };
}

/** Rewrites the addresses in a block of content, or in what `resources/read` answers. */
export function readdress(block: unknown, addressOf: AddressOf): unknown {
  if (!isObject(block)) return block;
  const { uri, resource } = block;
  return {
    ...block,
    ...(typeof uri === 'string' ? { uri: addressOf(uri) } : {}),
    ...(isObject(resource) ? { resource: readdress(resource, addressOf) } : {}),
  };
}
