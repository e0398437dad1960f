// The names of jots, and the one path in a jot that no file may have. design: J2, J3
const NAME = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** The uploads stand under this name. */
const UPLOAD = 'upload';

export const NAME_RULE =
  'a jot name has 1 to 63 characters a-z, 0-9 and -, begins and ends with a letter or digit, and is not "upload"';

export function isJotName(name: string): boolean {
  return NAME.test(name) && name !== UPLOAD;
}

export const MANIFEST_NAME = '.jot.json';
export const INDEX = 'index.html';
