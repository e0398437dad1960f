// Shares files: links, invitations, and who has access.
import * as z from 'zod';
import { type Tool, tool } from '../../src/kit/integration.ts';
import { object, page, readPage, send, some, text, texts } from '../microsoft/graph.ts';
import { addressOfItem, inAddress, item } from './place.ts';

const Link = z.lazy(() =>
  z.object({
    id: z.string().nullish(),
    roles: z.array(z.string()).nullish(),
    link: z.looseObject({
      webUrl: z.string().nullish(),
      scope: z.string().nullish(),
      type: z.string().nullish(),
    }),
  }),
);

export const sharing: readonly Tool[] = [
  tool(
    'onedrive_create_share_url',
    'Create an address that shares a file or folder with others',
    () => ({
      ...item,
      type: z
        .enum(['view', 'edit', 'embed'])
        .describe('What the link allows; embed is for personal accounts'),
      scope: z
        .enum(['anonymous', 'organization', 'users'])
        .optional()
        .describe(
          'Whom it works for: everybody, the organization, or named people; the usual scope by default',
        ),
      expirationDateTime: z.iso
        .datetime({ offset: true })
        .optional()
        .describe('When it ends, such as 2026-04-01T00:00:00Z'),
      password: some.describe('Password of the link; for personal accounts'),
    }),
    async ({ type, scope, expirationDateTime, password, ...place }, { upstream }) => {
      const request = `POST ${addressOfItem(place, '/createLink')}` as const;
      const body = { type, scope, expirationDateTime, password };
      const made = Link.parse(await send(upstream, request, { ...inAddress(place), ...body }));
      return { permissionId: made.id, url: made.link.webUrl, type: made.link.type, scope: made.link.scope };
    },
    'write',
  ),
  tool(
    'onedrive_share_file',
    'Share a file or folder with people by e-mail address',
    () => ({
      ...item,
      people: texts.min(1).describe('E-mail addresses, such as ana@example.com'),
      role: z.enum(['read', 'write']).describe('What they may do'),
      message: some.describe('Message in the invitation'),
      sendInvitation: z.boolean().default(true).describe('false tells them nothing'),
      requireSignIn: z.boolean().default(true).describe('false lets everyone with the invitation in'),
    }),
    async ({ people, role, message, sendInvitation, requireSignIn, ...place }, { upstream }) => {
      const recipients = people.map((email) => ({ email }));
      const body = { recipients, roles: [role], message, sendInvitation, requireSignIn };
      const request = `POST ${addressOfItem(place, '/invite')}` as const;
      const answer = await send(upstream, request, { ...inAddress(place), ...body });
      return {
        permissions: z
          .object({ value: z.array(object).default([]) })
          .parse(answer)
          .value.map(showPermission),
      };
    },
    'write',
  ),
  tool(
    'onedrive_list_permissions',
    'List who can open a file or folder, and its sharing links',
    () => ({ ...item, page }),
    ({ page: cursor, ...place }, { upstream }) =>
      readPage(upstream, `GET ${addressOfItem(place, '/permissions')}`, {
        place: inAddress(place),
        page: cursor,
        show: showPermission,
      }),
  ),
  tool(
    'onedrive_delete_permission',
    'Stop sharing a file or folder with somebody, or end a sharing link',
    () => ({ ...item, permissionId: text.describe('Permission id, from onedrive_list_permissions') }),
    ({ permissionId, ...place }, { upstream }) =>
      send(upstream, `DELETE ${addressOfItem(place, '/permissions/{permissionId}')}`, {
        ...inAddress(place),
        permissionId,
      }),
    'destroy',
  ),
];

function showPermission(permission: Record<string, unknown>): Record<string, unknown> {
  const {
    id,
    roles,
    link,
    grantedToV2,
    grantedToIdentitiesV2,
    invitation,
    expirationDateTime,
    inheritedFrom,
  } = permission;
  return {
    id,
    roles,
    link,
    grantedTo: grantedToIdentitiesV2 ?? grantedToV2,
    invitation,
    expirationDateTime,
    inheritedFrom,
  };
}
