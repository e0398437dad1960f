// Tests keeping files and handing them on. reference: Files; decision: 035
import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { downloadFile, fileIn, putFile } from '../../support/files.ts';
import { done } from '../../support/jots.ts';
import type { Subject } from '../app-contract.ts';

export function fileSentences(at: () => Subject): void {
  const owner = () => ({ keyHeader: at().ana.key });

  it('takes an upload once, uses the file in a tool, and gives it back to its owner and by a link', async () => {
    const { gateway, ana } = at();
    const bytes = randomBytes(9 * 1024 * 1024 + 7);
    const { uploadUrl } = await done(gateway, owner(), 'upload_file', { name: 'größe.bin' });
    const first = await putFile(gateway, uploadUrl, bytes);
    expect(first.status).toBe(201);
    expect((await putFile(gateway, uploadUrl, 'again')).status).toBe(404);
    const file = fileIn(first.body);
    expect(file).toMatchObject({ name: 'größe.bin', bytes: bytes.length });
    expect((await downloadFile(gateway, first.body)).equals(bytes)).toBe(true);

    const headers = { ...ana.key, range: 'bytes=65535-65536' };
    const part = await gateway.request(`/f/${file.handle}`, { headers });
    expect([part.status, part.headers.get('content-disposition')]).toEqual([
      206,
      `attachment; filename="gr__e.bin"; filename*=UTF-8''gr%C3%B6%C3%9Fe.bin`,
    ]);
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(65_535, 65_537))).toBe(true);
    expect((await gateway.request(`/f/${file.handle}`)).status).toBe(401);

    const page = fileIn(await done(gateway, owner(), 'upload_file', { name: 'p.html', content: '<p>kept' }));
    const files = [{ path: 'index.html', file: `file:${page.handle}` }];
    await done(gateway, owner(), 'deploy_jot', { name: 'from-a-file', files });
    expect(await (await gateway.request('/j/from-a-file/')).text()).toBe('<p>kept');

    await done(gateway, owner(), 'delete_file', { file: file.handle });
    expect((await gateway.request(`/f/${file.handle}`, { headers: ana.key })).status).toBe(404);
  });
}
