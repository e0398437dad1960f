// Speaks SCIM as a directory does.
import type { TestApp } from './test-app.ts';

export const SCIM_TOKEN = 'the-token-of-the-directory-which-is-long';
export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

type Target = Pick<TestApp, 'request'>;

/** Sends a request, and reads the JSON of the answer if there is any. */
export async function scim(app: Target, method: string, path: string, body?: unknown, token = SCIM_TOKEN) {
  const response = await app.request(`/scim/v2${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/scim+json; charset=utf-8' }),
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? null : JSON.parse(text),
  };
}

export const patch = (app: Target, path: string, ...Operations: object[]) =>
  scim(app, 'PATCH', path, { schemas: [PATCH], Operations });

export const userNamed = (userName: string, more: object = {}) => ({
  schemas: [USER],
  userName,
  emails: [{ value: userName, type: 'work', primary: true }],
  active: true,
  ...more,
});
