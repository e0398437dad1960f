// Sends notices to an incoming webhook of Slack. reference: Notices
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type NoticeStand, openNotices } from '../support/notice-stand.ts';

describe('an incoming webhook of Slack', () => {
  let stand: NoticeStand;
  beforeEach(async () => {
    stand = await openNotices();
    await stand.add({ channel: 'slack', name: 'Slack', url: `${stand.receiver.url}/services/T/B/x` });
  });
  afterEach(() => stand.close());

  it('gets a text with a link', async () => {
    await stand.tell({ by: 'Claude' });
    await stand.receiver.until(1);
    expect(JSON.parse(stand.receiver.got[0]?.body.toString() ?? '').text).toBe(
      '*A call waits for your approval*\nClaude wants to use github.\n<http://localhost:3000/approvals/1|Open>',
    );
  });

  it.each([
    ['<!channel>', '&lt;!channel&gt; wants'],
    ['<http://evil|x>', 'An agent wants'],
    ['see evil.com', 'An agent wants'],
    ['a\r\nb\u202e', 'a b wants'],
  ])('gets the name %j of a client as nothing but a name', async (by, shown) => {
    await stand.tell({ by });
    await stand.receiver.until(1);
    expect(JSON.parse(stand.receiver.got[0]?.body.toString() ?? '').text).toContain(`\n${shown}`);
  });

  it('ends when Slack has removed it', async () => {
    stand.receiver.answers((response) => response.writeHead(404).end('no_service'));
    await stand.tell();
    await stand.untilStates(['failed']);
  });
});
