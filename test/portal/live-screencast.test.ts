// Tests the screencast: it acknowledges drawn frames, skips old ones, and lowers the quality on a slow network.
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createEvents } from '../../portal/live/remote/events.ts';
import type { Frame } from '../../portal/live/remote/protocol.ts';
import { createScreencast } from '../../portal/live/remote/screencast.ts';
import { createStore } from '../../portal/live/remote/state.ts';
import type { Tabs } from '../../portal/live/remote/tabs.ts';

const SIZE = { width: 1000, height: 600, density: 1 };

function begin() {
  const said: string[] = [];
  const starts: Record<string, unknown>[] = [];
  const decoding: (() => void)[] = [];
  let now = 1_000_000;
  const screencast = createScreencast(
    (method, params) => {
      said.push(method === 'Page.screencastFrameAck' ? `ack ${String(params['sessionId'])}` : method);
      if (method === 'Page.startScreencast') starts.push(params);
    },
    () => said.push('paint'),
    {
      now: () => now,
      // The picture has no content. The test only counts it.
      decode: () =>
        new Promise((resolve) => decoding.push(() => resolve({ close() {} } as unknown as ImageBitmap))),
    },
  );
  screencast.show('A', SIZE);
  return {
    said,
    starts,
    screencast,
    frame(number: number, { late = 0, of = 'A' } = {}) {
      const metadata = { offsetTop: 0, pageScaleFactor: 1, deviceWidth: 1000, deviceHeight: 600 };
      const frame: Frame = {
        data: '',
        sessionId: number,
        metadata: { ...metadata, timestamp: (now - late) / 1000 },
      };
      now += 1;
      screencast.onFrame(frame, of);
    },
    /** Lets the waiting frames be decoded and drawn. */
    async drawn() {
      for (let turn = 0; turn < 20; turn += 1) {
        decoding.shift()?.();
        await Promise.resolve();
      }
    },
  };
}

describe('Live view: pictures', () => {
  it('stops an earlier screencast and starts with three frames in flight', () => {
    const { said, starts, screencast } = begin();
    expect(said).toEqual(['Page.stopScreencast', 'Page.startScreencast']);
    expect(starts[0]).toMatchObject({ maxFramesInFlight: 3, maxWidth: 1000, sendLastFrame: true });
    screencast.stop();
  });

  it('acknowledges drawn frames, and draws only the newest of the waiting ones', async () => {
    const { said, frame, drawn, screencast } = begin();
    said.length = 0;
    frame(1);
    await Promise.resolve();
    expect(said).toEqual([]);
    frame(2);
    frame(3);
    await drawn();
    expect(said).toEqual(['paint', 'ack 1', 'ack 2', 'paint', 'ack 3']);
    screencast.stop();
  });

  it('draws frames of the shown page, even before a late frame of another page', async () => {
    const { said, frame, drawn, screencast } = begin();
    said.length = 0;
    frame(1, { of: 'B' });
    frame(2);
    frame(3, { of: 'B' });
    await drawn();
    expect(said).toEqual(['ack 1', 'paint', 'ack 2', 'ack 3']);
    screencast.stop();
  });

  it('asks for frames again when only the browser reports a new page', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { starts, frame, screencast } = begin();
    const store = createStore();
    const setTabs = (tabs: Tabs) => store.change({ tabs });
    const onMessage = createEvents({ store, screencast, setTabs, onCopied() {} });
    const targetInfo = { targetId: '1', type: 'page', title: '', url: 'about:blank' };
    onMessage({ method: 'Target.attachedToTarget', params: { sessionId: 'A', targetInfo } });
    onMessage({ method: 'LiveView.active', params: { sessionId: 'A' } });
    frame(1);
    vi.advanceTimersByTime(60_000);
    expect(starts).toHaveLength(1);
    onMessage({ method: 'Target.targetInfoChanged', params: { targetInfo: { ...targetInfo, title: 'It' } } });
    vi.advanceTimersByTime(60_000);
    expect(starts).toHaveLength(1);
    const moved = { ...targetInfo, url: 'https://example.com/' };
    onMessage({ method: 'Target.targetInfoChanged', params: { targetInfo: { ...moved, targetId: '2' } } });
    vi.advanceTimersByTime(60_000);
    expect(starts).toHaveLength(1);
    onMessage({ method: 'Target.targetInfoChanged', params: { targetInfo: moved } });
    vi.advanceTimersByTime(60_000);
    expect(starts.length).toBeGreaterThan(1);
    screencast.stop();
  });

  it('switches once to two frames in flight and a lower quality when frames are late', async () => {
    const { starts, frame, drawn, screencast } = begin();
    frame(1, { late: 20 });
    await drawn();
    frame(2, { late: 250 });
    await drawn();
    expect(starts).toHaveLength(1);
    frame(3, { late: 400 });
    await drawn();
    frame(4, { late: 900 });
    await drawn();
    expect(starts).toHaveLength(2);
    expect(starts[1]).toMatchObject({ maxFramesInFlight: 2, quality: 40 });
    screencast.stop();
  });
});
