// Tests Microsoft Teams: tool, arguments → expected requests; then chats from the sign-in on, against a fake after the docs.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { teams } from '../../integrations/teams/manifest.ts';
import { sent } from '../support/capture.ts';
import type { ApiCall } from '../support/fake-oauth-api.ts';
import { type FakeGraph, refuse, startGraph } from '../support/fake-graph.ts';

const CHANNEL = '/teams/t/channels/19%3Ac%40thread.tacv2';
const channel = { teamId: 't', channelId: '19:c@thread.tacv2' };
const none = [{ value: [] }];
const made = [{ id: '1' }];
const html = (text: string) => `"body":{"contentType":"html","content":"<p>${text}</p>"}`;
const member = (user: string) =>
  `{"@odata.type":"#microsoft.graph.aadUserConversationMember","roles":["owner"],"user@odata.bind":"https://graph.microsoft.com/v1.0/users('${user}')"}`;

type Row = readonly [name: string, args: object, requests: string | string[], answers?: unknown[]];

const rows: readonly Row[] = [
  ['whoami', { select: 'id' }, 'GET /me?$select=id'],
  ['list_teams', {}, 'GET /me/joinedTeams', none],
  [
    'list_channels',
    { teamId: 't' },
    'GET /teams/t/channels?$select=id,displayName,description,membershipType,webUrl',
    none,
  ],
  ['list_channel_messages', { ...channel, pageSize: 5 }, `GET ${CHANNEL}/messages?$top=5`, none],
  [
    'list_channel_messages',
    { ...channel, page: '$top=5&$skiptoken=x' },
    `GET ${CHANNEL}/messages?$top=5&$skiptoken=x`,
    none,
  ],
  ['list_message_replies', { ...channel, messageId: '1' }, `GET ${CHANNEL}/messages/1/replies?$top=20`, none],
  [
    'list_chats',
    {},
    'GET /me/chats?$expand=members,lastMessagePreview&$orderby=lastMessagePreview/createdDateTime desc&$top=20',
    none,
  ],
  [
    'list_chat_messages',
    { chatId: 'c' },
    'GET /chats/c/messages?$top=20&$orderby=createdDateTime desc',
    none,
  ],
  [
    'search_messages',
    { query: 'Größe', from: 20, pageSize: 5 },
    'POST /search/query {"requests":[{"entityTypes":["chatMessage"],"query":{"queryString":"Größe"},"from":20,"size":5}]}',
  ],
  [
    'find_people',
    { query: 'ana "x"' },
    'GET /users?$search="displayName:ana \\"x\\"" OR "mail:ana \\"x\\""&$top=20&$select=id,displayName,mail,userPrincipalName,jobTitle',
    none,
  ],
  ['get_message', { chatId: 'c', messageId: '1' }, 'GET /chats/c/messages/1', made],
  ['get_message', { ...channel, messageId: '1' }, `GET ${CHANNEL}/messages/1`, made],
  [
    'send_chat_message',
    { chatId: 'c', content: '**ü**', importance: 'high' },
    `POST /chats/c/messages {"importance":"high",${html('<b>ü</b>')}}`,
    made,
  ],
  [
    'update_message',
    { chatId: 'c', messageId: '1', content: 'ü' },
    `PATCH /chats/c/messages/1 {${html('ü')}}`,
  ],
  [
    'send_channel_message',
    {
      ...channel,
      content: 'Hi @Ana & @Bob <3, @Ana & @Bob',
      subject: 'Größe',
      mentions: [{ userId: 'u1', name: 'Ana & @Bob <3' }],
    },
    `POST ${CHANNEL}/messages {"subject":"Größe",${html('Hi <at id=\\"0\\">Ana &amp; @Bob &lt;3</at>, @Ana &amp; @Bob')},"mentions":[{"id":0,"mentionText":"Ana & @Bob <3","mentioned":{"user":{"id":"u1","displayName":"Ana & @Bob <3","userIdentityType":"aadUser"}}}]}`,
    made,
  ],
  [
    'reply_to_channel_message',
    { ...channel, messageId: '1', content: 'ü' },
    `POST ${CHANNEL}/messages/1/replies {${html('ü')}}`,
    made,
  ],
  [
    'start_chat',
    { people: ["o'neil@x.org"], topic: 'no topic in a chat of two' },
    [
      'GET /me?$select=id',
      `POST /chats {"chatType":"oneOnOne","members":[${member('me')},${member("o''neil%40x.org")}]}`,
    ],
    [{ id: 'me' }, { id: 'c' }],
  ],
  [
    'start_chat',
    { people: ['a', 'b'], topic: 'Größe' },
    [
      'GET /me?$select=id',
      `POST /chats {"chatType":"group","topic":"Größe","members":[${member('me')},${member('a')},${member('b')}]}`,
    ],
    [{ id: 'me' }, { id: 'c' }],
  ],
  [
    'react_to_message',
    { chatId: 'c', messageId: '1', reactionType: '👍' },
    'POST /chats/c/messages/1/setReaction {"reactionType":"👍"}',
  ],
  [
    'react_to_message',
    { ...channel, messageId: '1', replyId: '2', reactionType: '👍' },
    `POST ${CHANNEL}/messages/1/replies/2/setReaction {"reactionType":"👍"}`,
  ],
];

describe('the requests of Microsoft Teams', () => {
  it.each(rows.map(([name, args, requests, answers]) => ({ name, args, requests, answers })))(
    'teams_$name $args',
    async ({ name, args, requests, answers }) => {
      expect(await sent(teams, `teams_${name}`, args, answers)).toEqual([requests].flat());
    },
  );

  it('names every tool', () => {
    const named = new Set(rows.map(([name]) => `teams_${name}`));
    expect(teams.tools.map(({ name }) => name).filter((name) => !named.has(name))).toEqual([]);
  });

  it.each([{}, { chatId: 'c', ...channel }, { teamId: 't' }])(
    'asks where the message is: %j',
    async (place) => {
      const args = { messageId: '1', reactionType: '👍', ...place };
      await expect(sent(teams, 'teams_react_to_message', args)).rejects.toThrow(
        'Give chatId, or teamId and channelId',
      );
      if ('chatId' in place) return;
      await expect(sent(teams, 'teams_get_message', { messageId: '1', ...place })).rejects.toThrow(
        'Give chatId',
      );
    },
  );

  it('refuses to notify somebody whom the text does not name', async () => {
    const args = { chatId: 'c', content: 'Hi', mentions: [{ userId: 'u', name: 'Ana' }] };
    await expect(sent(teams, 'teams_send_chat_message', args)).rejects.toThrow('does not mention @Ana');
  });
});

const FROM = { user: { id: 'u1', displayName: 'Ana', userIdentityType: 'aadUser' }, application: null };
const MESSAGE = {
  id: '1',
  replyToId: null,
  messageType: 'message',
  createdDateTime: '2026-03-02T09:00:00Z',
  chatId: '19:x@thread.v2',
  importance: 'normal',
  subject: null,
  from: FROM,
  body: {
    contentType: 'html',
    content: '<p>Hi <at id="0">Bob</at>, <b>see</b></p><attachment id="f"></attachment>',
  },
  attachments: [
    { id: 'f', contentType: 'reference', contentUrl: 'https://x.sharepoint.com/a.docx', name: 'a.docx' },
  ],
  mentions: [{ id: 0, mentionText: 'Bob', mentioned: { user: { id: 'u2', displayName: 'Bob' } } }],
  reactions: [{ reactionType: '👍', user: { user: { id: 'u2', displayName: null } } }],
  channelIdentity: null,
  eventDetail: null,
};

describe('messages at Microsoft Teams', () => {
  let graph: FakeGraph;
  beforeAll(async () => {
    graph = await startGraph('teams', answer);
  });
  afterAll(() => graph?.close());

  function answer({ method, path, headers, query }: ApiCall): Response {
    switch (`${method} ${path}`) {
      case 'GET /chats/c/messages':
        return Response.json({
          value: [
            MESSAGE,
            {
              id: '2',
              messageType: 'systemEventMessage',
              from: null,
              deletedDateTime: '2026-03-02T10:00:00Z',
              body: { contentType: 'html', content: '<systemEventMessage/>' },
              eventDetail: { '@odata.type': '#microsoft.graph.membersAddedEventMessageDetail' },
            },
          ],
        });
      case 'GET /me/chats':
        return Response.json({
          value: [
            {
              id: 'c',
              topic: null,
              chatType: 'oneOnOne',
              webUrl: 'https://teams.microsoft.com/l/chat/c',
              members: [{ id: 'm', roles: ['owner'], displayName: 'Ana', userId: 'u1', email: 'ana@x.org' }],
              lastMessagePreview: {
                id: '1',
                createdDateTime: '2026-03-02T09:00:00Z',
                body: { contentType: 'text', content: 'Hi' },
                from: FROM,
              },
            },
          ],
        });
      case 'POST /search/query':
        return Response.json({
          value: [
            {
              hitsContainers: [
                {
                  hits: [
                    {
                      hitId: 'h',
                      summary: 'the <c0>plan</c0> of &amp; Bob',
                      resource: {
                        '@odata.type': '#microsoft.graph.chatMessage',
                        id: '9',
                        chatId: 'c',
                        from: { emailAddress: { name: 'Ana' } },
                        channelIdentity: {},
                        webLink: 'https://teams.microsoft.com/l/message/9',
                      },
                    },
                  ],
                  total: 2,
                  moreResultsAvailable: true,
                },
              ],
            },
          ],
        });
      case 'GET /users':
        if (headers.get('consistencylevel') !== 'eventual') return refuse(400, 'Request_UnsupportedQuery');
        return Response.json({
          value: [{ id: query['$skiptoken'] === undefined ? 'u1' : 'u2' }],
          ...(query['$skiptoken'] === undefined
            ? { '@odata.nextLink': 'https://graph.microsoft.com/v1.0/users?$top=1&$skiptoken=x' }
            : {}),
        });
      default:
        return refuse(404, `no ${method} ${path}`);
    }
  }

  it('shows a message as people read it, and says what happened where there is no text', async () => {
    expect(await graph.ana.run('teams_list_chat_messages', { chatId: 'c' })).toEqual({
      items: [
        {
          id: '1',
          chatId: '19:x@thread.v2',
          from: 'Ana',
          fromId: 'u1',
          createdDateTime: '2026-03-02T09:00:00Z',
          text: 'Hi Bob, see',
          attachments: [
            { name: 'a.docx', contentType: 'reference', contentUrl: 'https://x.sharepoint.com/a.docx' },
          ],
          mentions: [{ name: 'Bob', userId: 'u2' }],
          reactions: [{ reactionType: '👍', from: 'u2' }],
        },
        { id: '2', deleted: true, event: 'membersAddedEventMessageDetail', text: '' },
      ],
    });
  });

  it('shows the chats with their members and the last message', async () => {
    expect(await graph.ana.run('teams_list_chats')).toEqual({
      items: [
        {
          id: 'c',
          chatType: 'oneOnOne',
          webUrl: 'https://teams.microsoft.com/l/chat/c',
          members: [{ displayName: 'Ana', userId: 'u1', email: 'ana@x.org' }],
          lastMessage: { from: 'Ana', createdDateTime: '2026-03-02T09:00:00Z', text: 'Hi' },
        },
      ],
    });
  });

  it('shows what a search found, and how to go on', async () => {
    expect(await graph.ana.run('teams_search_messages', { query: 'plan', from: 3 })).toEqual({
      items: [
        {
          id: '9',
          chatId: 'c',
          text: 'the plan of & Bob',
          from: 'Ana',
          webUrl: 'https://teams.microsoft.com/l/message/9',
        },
      ],
      nextFrom: 4,
    });
  });

  it('finds people with the header that the directory wants, on each page', async () => {
    const first = await graph.ana.run('teams_find_people', { query: 'ana', pageSize: 1 });
    expect(first).toEqual({ items: [{ id: 'u1' }], nextPage: '$top=1&$skiptoken=x' });
    const { nextPage: page } = Object(first);
    expect(await graph.ana.run('teams_find_people', { query: 'ana', page })).toEqual({
      items: [{ id: 'u2' }],
    });
  });

  it('says why in the words of Microsoft', async () => {
    await expect(graph.ana.run('teams_list_chat_messages', { chatId: 'gone' })).rejects.toThrow(
      'no GET /chats/gone/messages',
    );
  });
});
