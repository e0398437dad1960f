// Tests the requests that Entra ID and Okta document, as they send them.
// https://learn.microsoft.com/en-us/entra/identity/app-provisioning/use-scim-to-provision-users-and-groups
// https://developer.okta.com/docs/api/openapi/okta-scim/guides/scim-20/
// reference: SCIM
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PROVIDER } from '../support/people.ts';
import { GROUP, patch, scim, SCIM_TOKEN, USER } from '../support/scim.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp({ env: { ...PROVIDER, SCIM_TOKEN } });
  await app.user('somebody@example.com');
});
afterEach(() => app.close());

const get = (path: string) => scim(app, 'GET', path);
const filtered = (type: string, filter: string, more = '') =>
  get(`/${type}?filter=${encodeURIComponent(filter)}${more}`);

describe('Entra ID', () => {
  const newUser = {
    schemas: [USER, ENTERPRISE],
    externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
    userName: 'Test_User_ab6490ee-1e48-479e-a20b-2d77186b5dd1@contoso.com',
    active: true,
    displayName: 'lennay',
    emails: [{ primary: true, type: 'work', value: 'Test_User_fd0ea19b@testuser.com' }],
    meta: { resourceType: 'User' },
    name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
    roles: [],
    [ENTERPRISE]: { department: 'Sales' },
  };

  it('tests the connection with a user that does not exist', async () => {
    expect(await filtered('Users', 'userName eq "non-existent user"')).toMatchObject({
      status: 200,
      body: { totalResults: 0, Resources: [], startIndex: 1, itemsPerPage: 0 },
    });
  });

  it('creates, finds, changes, disables and deletes a user', async () => {
    const made = await scim(app, 'POST', '/Users', newUser);
    expect(made).toMatchObject({
      status: 201,
      body: { externalId: newUser.externalId, userName: newUser.userName, name: newUser.name, active: true },
    });
    const path = `/Users/${made.body.id}`;
    expect((await filtered('Users', `userName eq "${newUser.userName}"`)).body.totalResults).toBe(1);
    const changed = await patch(
      app,
      path,
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updatedEmail@microsoft.com' },
      { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
      { op: 'Add', path: 'title', value: 'Boss' },
      { op: 'Add', path: `${ENTERPRISE}:department`, value: 'Ops' },
      { op: 'Replace', path: 'emails[type eq "home"].value', value: 'home@microsoft.com' },
    );
    expect(changed).toMatchObject({
      status: 200,
      body: {
        emails: [
          { type: 'work', primary: true, value: 'updatedEmail@microsoft.com' },
          { type: 'home', value: 'home@microsoft.com' },
        ],
        name: { familyName: 'updatedFamilyName', givenName: 'givenName' },
      },
    });
    expect(
      (await patch(app, path, { op: 'Replace', path: 'userName', value: 'new@contoso.com' })).status,
    ).toBe(200);
    expect((await filtered('Users', 'userName eq "NEW@contoso.com"')).body.totalResults).toBe(1);
    expect((await filtered('Users', `userName eq "${newUser.userName}"`)).body.totalResults).toBe(0);
    // The dialect of tenants without the feature flag sends a text.
    for (const [value, active] of [
      ['False', false],
      ['True', true],
      [false, false],
    ] as const)
      expect((await patch(app, path, { op: 'Replace', path: 'active', value })).body.active).toBe(active);
    const flat = await patch(app, path, {
      op: 'Add',
      value: { active: 'True', 'name.givenName': 'Given', [`${ENTERPRISE}:department`]: 'x' },
    });
    expect(flat.body).toMatchObject({ active: true, name: { givenName: 'Given' } });
    expect((await scim(app, 'DELETE', path)).status).toBe(204);
    expect((await get(path)).status).toBe(404);
  });

  it('creates, finds, changes and deletes a group, and asks for it without its members', async () => {
    const user = (await scim(app, 'POST', '/Users', newUser)).body;
    const made = await scim(app, 'POST', '/Groups', {
      schemas: [GROUP, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
      externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
      displayName: 'displayName',
      meta: { resourceType: 'Group' },
    });
    expect(made).toMatchObject({ status: 201, body: { displayName: 'displayName' } });
    const path = `/Groups/${made.body.id}`;
    const add = await patch(app, path, {
      op: 'Add',
      path: 'members',
      value: [{ $ref: null, value: user.id }],
    });
    expect(add.body.members).toMatchObject([{ value: user.id }]);
    const found = await filtered('Groups', 'displayName eq "displayName"', '&excludedAttributes=members');
    expect(found.body.Resources).toMatchObject([{ id: made.body.id }]);
    expect(found.body.Resources[0]).not.toHaveProperty('members');
    expect((await get(`${path}?excludedAttributes=members`)).body).not.toHaveProperty('members');
    expect(
      (await filtered('Groups', 'externalId eq "8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159"')).body.totalResults,
    ).toBe(1);
    await patch(app, path, {
      op: 'Replace',
      path: 'displayName',
      value: '1879db59-3bdf-4490-ad68-ab880a269474updated',
    });
    const out = await patch(app, path, {
      op: 'Remove',
      path: 'members',
      value: [{ $ref: null, value: user.id }],
    });
    expect(out.body).not.toHaveProperty('members');
    expect((await scim(app, 'DELETE', path)).status).toBe(204);
  });
});

describe('Okta', () => {
  const newUser = {
    schemas: [USER],
    userName: 'test.user@okta.local',
    name: { givenName: 'Test', familyName: 'User' },
    emails: [{ primary: true, value: 'test.user@okta.local', type: 'work' }],
    displayName: 'Test User',
    locale: 'en-US',
    externalId: '00ujl29u0le5T6Aj10h7',
    groups: [],
    password: '1mz050nq',
    active: true,
  };

  it('looks, creates, reads, updates with PUT, and deactivates a user', async () => {
    const before = await filtered('Users', 'userName eq "test.user@okta.local"', '&startIndex=1&count=100');
    expect(before.body).toMatchObject({ totalResults: 0, startIndex: 1, Resources: [] });
    const made = await scim(app, 'POST', '/Users', newUser);
    expect([made.status, made.body.groups ?? []]).toEqual([201, []]);
    expect(JSON.stringify([made.body, app.lines])).not.toContain(newUser.password);
    const path = `/Users/${made.body.id}`;
    const read = (await get(path)).body;
    const put = await scim(app, 'PUT', path, { ...read, name: { ...read.name, givenName: 'Another' } });
    expect(put.body).toMatchObject({ id: made.body.id, name: { givenName: 'Another' } });
    const off = await patch(app, path, { op: 'replace', value: { active: false } });
    expect(off.body.active).toBe(false);
    expect((await scim(app, 'PUT', path, { ...read, active: true })).body.active).toBe(true);
    expect((await scim(app, 'POST', '/Users', newUser)).status).toBe(409);
    expect((await get('/Users?startIndex=1&count=2')).body).toMatchObject({
      totalResults: 3,
      itemsPerPage: 2,
    });
  });

  it('passes the checks of the published SCIM 2.0 specification test', async () => {
    const first = await get('/Users?count=1&startIndex=1');
    expect(first.body).toMatchObject({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      itemsPerPage: 1,
      startIndex: 1,
      totalResults: expect.any(Number),
      Resources: [
        {
          id: expect.any(String),
          userName: expect.any(String),
          active: true,
          emails: [{ value: expect.any(String) }],
        },
      ],
    });
    expect((await get(`/Users/${first.body.Resources[0].id}`)).status).toBe(200);
    expect(await get('/Users/010101001010101011001010101011')).toMatchObject({
      status: 404,
      body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], detail: expect.any(String) },
    });
    expect((await get('/Groups')).status).toBe(200);
    expect((await scim(app, 'GET', '/Groups', undefined, 'wrong')).status).toBe(401);
  });

  it('pushes a group, its members and its name', async () => {
    const user = (await scim(app, 'POST', '/Users', newUser)).body;
    const made = await scim(app, 'POST', '/Groups', {
      schemas: [GROUP],
      displayName: 'Test SCIMv2',
      members: [],
    });
    const path = `/Groups/${made.body.id}`;
    const renamed = await patch(app, path, {
      op: 'replace',
      value: { id: made.body.id, displayName: 'Test SCIMv2b' },
    });
    expect([renamed.status, renamed.body.displayName]).toEqual([200, 'Test SCIMv2b']);
    const both = await patch(
      app,
      path,
      { op: 'remove', path: `members[value eq "${user.id}"]` },
      { op: 'add', path: 'members', value: [{ value: user.id, display: 'test.user@okta.local' }] },
    );
    // Okta removes a member that is none before it adds the member.
    expect([both.status, both.body.members?.length]).toEqual([200, 1]);
    const all = { op: 'replace', path: 'members', value: [{ value: user.id }] };
    expect((await patch(app, path, all)).body.members).toHaveLength(1);
    const put = await scim(app, 'PUT', path, {
      schemas: [GROUP],
      id: made.body.id,
      displayName: 'Test SCIMv2b',
      members: [],
    });
    expect(put.body).not.toHaveProperty('members');
    expect((await scim(app, 'DELETE', path)).status).toBe(204);
  });
});
