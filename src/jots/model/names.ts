// Checks the names of jots, and names the one path that no file of a jot may have. decision: 049
const NAME = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** `/j/upload/` is the address of uploads. */
const UPLOAD = 'upload';

export const NAME_RULE =
  'a jot name has 1 to 63 characters a-z, 0-9 and -, begins and ends with a letter or digit, and is not "upload"';

export function isJotName(name: string): boolean {
  return NAME.test(name) && name !== UPLOAD;
}

export const MANIFEST_NAME = '.jot.json';
export const INDEX = 'index.html';
