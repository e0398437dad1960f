// Tests what a page in the live view cannot reach, whatever it tries. decision: 030, 050
import { afterEach, expect, it } from 'vitest';
import { createUndiciNetwork } from '../../drivers/network/undici.ts';
import { type Canaries, startCanaries, startTryingSite, type TryingSite } from '../support/canaries.ts';
import { describeInChromium } from '../support/chromium.ts';
import {
  createViewer,
  type LiveGateway,
  openLiveGateway,
  type Said,
  type Stream,
  type Viewer,
} from '../support/live-viewer.ts';

const NAMES: Record<string, string[]> = {
  'site.test': ['127.0.0.1'],
  'evil.test': ['127.0.0.1'],
  // One public address among private ones is how a name smuggles them in.
  'mixed.test': ['192.88.98.1', '127.0.0.1'],
};
const PUBLIC = {
  SERVER_PUBLIC_URL: 'https://gateway.example.com',
  SESSION_SECRET: 'a secret of tests that is long enough to be one',
  ENCRYPTION_KEY: '0123456789abcdef'.repeat(4),
  EGRESS_ALLOW: 'site.test',
};
const METADATA = ['http://169.254.169.254', 'http://[fd00:ec2::254]', 'http://100.100.100.200'];

describeInChromium('the live view on a public base', () => {
  let canaries: Canaries;
  let site: TryingSite;
  let gateway: LiveGateway;
  let viewer: Viewer;
  let stream: Stream;

  async function open(env: Record<string, string>): Promise<void> {
    canaries = await startCanaries();
    site = await startTryingSite([...canaries.origins, ...METADATA]);
    const network = createUndiciNetwork();
    gateway = await openLiveGateway({
      env,
      ports: { network: { ...network, resolve: async (name) => NAMES[name] ?? network.resolve(name) } },
    });
    viewer = createViewer(gateway, await gateway.app.user());
    stream = await viewer.open();
  }
  afterEach(async () => {
    await gateway?.close();
    site?.close();
    await canaries?.close();
  });

  const at = (path: string) => `http://site.test:${site.port}${path}`;
  const go = (url: string, sessionId?: string) => viewer.ask(stream, 'Page.navigate', { url }, sessionId);

  it('reaches nothing on this machine, in its network or in its cloud', async () => {
    await open(PUBLIC);
    const targets = [...canaries.origins, ...METADATA].map((origin) => `${origin}/canary`);
    for (const url of targets) await go(url);
    for (const url of targets) await go(at(`/redirect?to=${encodeURIComponent(url)}`));
    for (const url of targets) await viewer.ask(stream, 'Target.createTarget', { url });
    expect(canaries.hits).toEqual([]);
    const [own, ...others] = (await viewer.ask(stream, 'Target.getTargets')).result.targetInfos;
    const { targetId } = own;
    const { sessionId } = (await viewer.ask(stream, 'Target.attachToTarget', { targetId })).result;
    await viewer.ask(stream, 'Target.activateTarget', { targetId });
    for (const other of others) await viewer.ask(stream, 'Target.closeTarget', { targetId: other.targetId });

    // The redirects and pages themselves worked; only their targets did not.
    await go(at('/try'), sessionId);
    expect(Number(await site.tried)).toBe((canaries.origins.length + METADATA.length) * 14);

    const [first = ''] = targets;
    await go(at(`/open?to=${encodeURIComponent(first)}`), sessionId);
    // The first pages were open at this address before.
    const seen = stream.said.length;
    const isPopUp = ({ method, params }: Said) =>
      method === 'Target.targetInfoChanged' && params.targetInfo.url === first;
    // A page accepts no click before it is painted.
    await expect
      .poll(async () => {
        await viewer.click(stream, { x: 100, y: 100 });
        return stream.said.slice(seen).some(isPopUp);
      })
      .toBe(true);
    expect(canaries.hits).toEqual([]);
  }, 120_000);

  it("does not follow the operator's address mappings", async () => {
    await open(PUBLIC);
    const env = { ...PUBLIC, UPSTREAM_MAP: `https://api.github.com=http://127.0.0.1:${canaries.port}` };
    await gateway.close();
    gateway = await openLiveGateway({ env });
    viewer = createViewer(gateway, await gateway.app.user());
    stream = await viewer.open();
    await go(`http://127.0.0.1:${canaries.port}/canary`);
    expect(canaries.hits).toEqual([]);
  });

  it("would be noticed if it did: on a loopback base everything here is the person's own machine", async () => {
    await open({});
    await go(at('/try'));
    await site.tried;
    expect(canaries.hits.length).toBeGreaterThan(50);
    expect(new Set(canaries.hits)).toContain('connection at ::ffff:127.0.0.1');
    // The page itself waits for eight seconds.
  }, 60_000);
});
