// Updates, which are the comments on items, and files.
import * as z from 'zod';
import { encodeForm, readBytes } from '../../src/kit/binary.ts';
import { asFile, givenContent, readGiven, renderFile } from '../../src/kit/files.ts';
import { readGraphql } from '../../src/kit/graphql-rows.ts';
import { type Tool, tool } from '../../src/kit/integration.ts';
import { readPayload } from '../../src/kit/payload.ts';
import { ask, ITEM, page, row, some, text } from './api.ts';
import { toUpdateHtml } from './update-html.ts';

const itemId = text.describe(ITEM);
const Assets = z.lazy(() => z.array(z.object({ name: text, public_url: text })));

export const updates: readonly Tool[] = [
  row(
    'monday_list_updates',
    'query($itemId:ID!,$limit:Int,$page:Int){items(ids:[$itemId]){updates(limit:$limit,page:$page){id text_body created_at creator{id name} assets{id name} replies{id text_body created_at creator{id name}}}}}',
    'List the updates on an item with their replies, newest first',
    () => ({ itemId, ...page() }),
  ),
  row(
    'monday_add_update',
    'mutation($itemId:ID!,$parentId:ID,$body:String!){create_update(item_id:$itemId,parent_id:$parentId,body:$body){id text_body created_at}}',
    'Write an update on an item, or reply to one',
    () => ({
      itemId,
      body: text.min(1).transform(toUpdateHtml).describe('Text of the update, in Markdown'),
      parentId: some.describe('Id of the update to reply to, from monday_list_updates'),
    }),
  ),
  tool(
    'monday_read_file',
    'Read a file of an item as text, an image or a file',
    () => ({
      assetId: text.describe('Id from the assets of monday_get_item or monday_list_updates'),
      asFile,
    }),
    async ({ assetId, asFile: keep }, { upstream, fetch, files }) => {
      const document = 'query($assetId:ID!){assets(ids:[$assetId]){id name public_url}}';
      const [found] = Assets.parse(await ask(upstream, document, { assetId }));
      if (found === undefined) throw new Error(`There is no file ${assetId} that you may see`);
      // The address is itself the permission for an hour, so no token is sent.
      const answer = await fetch(found.public_url);
      const [mimeType = ''] = (answer.headers.get('content-type') ?? '').split(';');
      const content = { bytes: await readBytes(answer), name: found.name, mimeType };
      return { name: found.name, ...(await renderFile(files, content, { asFile: keep })) };
    },
  ),
  tool(
    'monday_add_file',
    'Add a file to a files column of an item, at most 500 MB',
    () => ({
      itemId,
      columnId: text.describe('Id of a column of the type file, from monday_get_board'),
      filename: text.min(1).describe('File name with its extension, such as plan.pdf'),
      ...givenContent,
    }),
    async ({ itemId: item, columnId, filename, ...given }, { upstream, files }) => {
      const { bytes, mimeType = '' } = await readGiven(files, given);
      const form = new FormData();
      form.set(
        'query',
        'mutation($item:ID!,$columnId:String!,$file:File!){add_file_to_column(item_id:$item,column_id:$columnId,file:$file){id name file_size}}',
      );
      form.set('variables[item]', item);
      form.set('variables[columnId]', columnId);
      form.set('variables[file]', new File([bytes], filename, { type: mimeType }));
      return readGraphql(
        await readPayload(await upstream({ method: 'POST', path: '/v2/file', ...(await encodeForm(form)) })),
      );
    },
    'write',
  ),
];
