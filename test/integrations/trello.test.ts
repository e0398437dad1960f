// Tests Trello: tool, arguments → expected request; and comments, checklists, files and refusals against a fake Trello
// that is written from its documentation.
import { describe, expect, it } from 'vitest';
import { trello } from '../../integrations/trello/manifest.ts';
import type { UpstreamCall } from '../../src/kit/integration.ts';
import { createMemoryFiles } from '../support/memory-files.ts';
import { type RequestRow, runAgainst, testRequests } from '../support/tool-requests.ts';

const LINE = 'name,idBoard,idList,idMembers,labels,due,dueComplete,closed,dateLastActivity,shortUrl';
const BOARD = 'name,desc,closed,idOrganization,dateLastActivity,shortUrl';
const card = { cardId: 'c1' };
const upload = {
  id: 'a1',
  name: 'A file',
  fileName: 'ä b.txt',
  url: 'https://trello.com/…',
  isUpload: true,
  mimeType: 'text/plain',
};

const rows: readonly RequestRow[] = [
  [
    'trello_whoami',
    {},
    'GET /members/me?fields=fullName,username,email,url&organizations=all&organization_fields=name,displayName',
  ],
  ['trello_list_boards', {}, `GET /members/me/boards?fields=${BOARD}&filter=open`],
  [
    'trello_get_board',
    { boardId: 'b1' },
    `GET /boards/b1?fields=${BOARD}&lists=open&list_fields=name,pos&labels=all&label_fields=name,color&members=all&member_fields=fullName,username`,
  ],
  [
    'trello_create_board',
    { name: 'Plan', desc: '*now*', idOrganization: 'o1', defaultLists: false, visibility: 'org' },
    'POST /boards/ {"name":"Plan","desc":"*now*","idOrganization":"o1","defaultLists":false,"prefs_permissionLevel":"org"}',
  ],
  [
    'trello_create_list',
    { idBoard: 'b1', name: 'Doing', pos: 'bottom' },
    'POST /lists {"idBoard":"b1","name":"Doing","pos":"bottom"}',
  ],
  ['trello_update_list', { listId: 'l1', closed: true, pos: 2.5 }, 'PUT /lists/l1 {"closed":true,"pos":2.5}'],
  [
    'trello_create_label',
    { idBoard: 'b1', name: 'Bug', color: 'red' },
    'POST /labels {"idBoard":"b1","name":"Bug","color":"red"}',
  ],
  [
    'trello_search',
    { query: 'größer is:open', idBoards: 'mine', cardsPage: 2, partial: true },
    `GET /search?card_fields=${LINE}&board_fields=${BOARD}&query=größer is:open&idBoards=mine&modelTypes=cards,boards&cards_limit=20&cards_page=2&partial=true`,
  ],
  [
    'trello_list_cards',
    { boardId: 'b1', limit: 5, before: 'c9' },
    `GET /boards/b1/cards?fields=${LINE}&filter=open&limit=5&before=c9`,
  ],
  [
    'trello_list_cards_in_list',
    { listId: 'l1', filter: 'all' },
    `GET /lists/l1/cards?fields=${LINE}&filter=all`,
  ],
  ['trello_list_my_cards', {}, `GET /members/me/cards?fields=${LINE}&filter=visible`],
  [
    'trello_get_card',
    card,
    `GET /cards/c1?fields=${LINE},desc,start,pos,badges&members=true&member_fields=fullName,username&list=true&board=true&board_fields=name&checklists=all&checklist_fields=name&attachments=true&attachment_fields=name,url,bytes,mimeType,isUpload,date`,
  ],
  [
    'trello_create_card',
    {
      idList: 'l1',
      name: 'Ship',
      desc: '**now**',
      due: '2026-03-31T15:00:00Z',
      idLabels: ['x', 'y'],
      pos: 'top',
    },
    'POST /cards {"idList":"l1","name":"Ship","desc":"**now**","due":"2026-03-31T15:00:00Z","idLabels":["x","y"],"pos":"top"}',
  ],
  [
    'trello_update_card',
    { ...card, idList: 'l2', due: null, dueComplete: true },
    'PUT /cards/c1 {"idList":"l2","due":null,"dueComplete":true}',
  ],
  ['trello_delete_card', card, 'DELETE /cards/c1'],
  [
    'trello_list_comments',
    { ...card, page: 1 },
    'GET /cards/c1/actions?filter=commentCard&fields=date,data&memberCreator_fields=fullName,username&page=1',
  ],
  ['trello_add_comment', { ...card, text: 'Hi @bo' }, 'POST /cards/c1/actions/comments {"text":"Hi @bo"}'],
  [
    'trello_create_checklist',
    { ...card, name: 'Steps', items: ['one', 'two'] },
    [
      'POST /cards/c1/checklists {"name":"Steps"}',
      'POST /checklists/k1/checkItems {"name":"one"}',
      'POST /checklists/k1/checkItems {"name":"two"}',
    ],
    [{ id: 'k1' }],
  ],
  [
    'trello_update_check_item',
    { ...card, checkItemId: 'i1', state: 'complete' },
    'PUT /cards/c1/checkItem/i1 {"state":"complete"}',
  ],
  [
    'trello_read_attachment',
    { ...card, attachmentId: 'a1' },
    ['GET /cards/c1/attachments/a1', 'GET /cards/c1/attachments/a1/download/%C3%A4%20b.txt'],
    [upload, new Response('x')],
  ],
  [
    'trello_attach_link',
    { ...card, url: 'https://a.example', name: 'A' },
    'POST /cards/c1/attachments {"url":"https://a.example","name":"A"}',
  ],
  ['trello_add_attachment', { ...card, filename: 'a.txt', content: 'x' }, 'POST /cards/c1/attachments'],
];

describe('Trello', () => testRequests(trello, rows));

const BYTES = new Uint8Array([0, 1, 2, 255]);
const member = { id: 'm1', fullName: 'Ana', username: 'ana' };
const board = { id: 'b1', name: 'Plan' };

/** Answers as Trello does, and refuses everything that its documentation does not describe. */
function createTrello() {
  const items: string[] = [];
  const uploads: { id: string; name: string; bytes: number }[] = [];
  const answer = async ({ method, path, query, body, headers }: UpstreamCall): Promise<Response> => {
    const request = `${method} ${path}`;
    const given = () => JSON.parse(String(body));
    if (request === 'GET /cards/c1/actions' && query?.get('filter') === 'commentCard')
      return Response.json([
        { id: 'x1', date: '2026-03-01', data: { text: 'Well **done**', card, board }, memberCreator: member },
      ]);
    if (request === 'POST /cards/c1/checklists') return Response.json({ id: 'k1', name: given().name });
    if (request === 'POST /checklists/k1/checkItems') {
      if (items.includes(given().name)) return new Response('invalid value for name', { status: 400 });
      items.push(given().name);
      return Response.json({ id: `i${items.length}`, name: given().name, state: 'incomplete' });
    }
    if (request === 'POST /cards/c1/attachments') {
      const form = await new Response(body, { headers: { ...headers } }).formData();
      const [name, file] = [form.get('name'), form.get('file')];
      if (!(file instanceof File) || typeof name !== 'string')
        return new Response('Must provide either url or file', { status: 400 });
      uploads.push({ id: 'a1', name, bytes: file.size });
      return Response.json(uploads[0]);
    }
    if (request === 'GET /cards/c1/attachments/a1')
      return Response.json({
        ...uploads[0],
        url: 'https://trello.com/1/cards/c1/x/b.bin',
        isUpload: true,
        mimeType: '',
      });
    if (request === 'GET /cards/c1/attachments/a2')
      return Response.json({
        id: 'a2',
        name: 'Docs',
        url: 'https://docs.example',
        isUpload: false,
        mimeType: '',
      });
    if (request === 'GET /cards/c1/attachments/a1/download/b.bin') return new Response(BYTES);
    return new Response('The requested resource was not found.', { status: 404 });
  };
  return { items, uploads, answer };
}

describe('a card in Trello', () => {
  it('shows its comments without what all of them repeat', async () => {
    const { answer: upstream } = createTrello();
    expect(await runAgainst(trello, 'trello_list_comments', card, { upstream })).toEqual([
      { id: 'x1', date: '2026-03-01', text: 'Well **done**', memberCreator: member },
    ]);
  });

  it('gets a checklist with its items in order', async () => {
    const { answer: upstream, items } = createTrello();
    const args = { ...card, name: 'Steps', items: ['one', 'two', 'three'] };
    expect(await runAgainst(trello, 'trello_create_checklist', args, { upstream })).toMatchObject({
      id: 'k1',
      checkItems: [{ id: 'i1' }, { id: 'i2' }, { id: 'i3', name: 'three' }],
    });
    expect(items).toEqual(['one', 'two', 'three']);
  });

  it("passes on Trello's own error about an item", async () => {
    const { answer: upstream } = createTrello();
    const args = { ...card, name: 'Steps', items: ['one', 'one'] };
    const made = runAgainst(trello, 'trello_create_checklist', args, { upstream });
    await expect(made).rejects.toThrow('400: invalid value for name');
  });

  it('takes a kept file and hands it out as one', async () => {
    const { answer: upstream, uploads } = createTrello();
    const files = createMemoryFiles();
    const { handle } = await files.save({ bytes: BYTES, name: 'a.bin', mimeType: 'application/x-a' });
    const args = { ...card, filename: 'b.bin', file: `file:${handle}` };
    await runAgainst(trello, 'trello_add_attachment', args, { upstream, files });
    expect(uploads).toEqual([{ id: 'a1', name: 'b.bin', bytes: 4 }]);
    const read = { ...card, attachmentId: 'a1' };
    expect(await runAgainst(trello, 'trello_read_attachment', read, { upstream, files })).toMatchObject({
      name: 'b.bin',
      file: { name: 'b.bin', bytes: 4 },
    });
  });

  it('says where an attachment is that only links to a file', async () => {
    const { answer: upstream } = createTrello();
    const read = runAgainst(trello, 'trello_read_attachment', { ...card, attachmentId: 'a2' }, { upstream });
    await expect(read).rejects.toThrow('Docs is a link to https://docs.example, not a file in Trello');
  });

  it("passes on Trello's own error when there is no such card", async () => {
    const { answer: upstream } = createTrello();
    const read = runAgainst(trello, 'trello_get_card', { cardId: 'c9' }, { upstream });
    await expect(read).rejects.toThrow('404: The requested resource was not found.');
  });
});
