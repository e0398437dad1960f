// Tests the system name look-up: a slow name does not delay calls to names that were found before.
import { describe, expect, it } from 'vitest';
import { createSystemLookUp } from '../../drivers/network/system-look-up.ts';

/** Opens a look-up on a system whose answers a test resolves or rejects. */
function openSystem(freshMs = 0) {
  const asked: { name: string; answer: PromiseWithResolvers<string[]> }[] = [];
  const lookUp = createSystemLookUp(
    (name) => {
      const answer = Promise.withResolvers<string[]>();
      asked.push({ name, answer });
      return answer.promise;
    },
    { patienceMs: 10, freshMs },
  );
  async function know(name: string, addresses: string[]): Promise<void> {
    const found = lookUp(name);
    asked.at(-1)?.answer.resolve(addresses);
    await found;
  }
  return { asked, know, lookUp };
}

describe('network: system name look-up', () => {
  it('asks the system once for concurrent look-ups of the same name', async () => {
    const { asked, lookUp } = openSystem();
    const both = [lookUp('slow.example'), lookUp('slow.example')];
    expect(asked).toHaveLength(1);
    asked[0]?.answer.resolve(['192.0.2.1']);
    expect([await both[0], await both[1]]).toEqual([['192.0.2.1'], ['192.0.2.1']]);
  });

  it('asks again for a later call and returns the newer result', async () => {
    const { asked, know, lookUp } = openSystem();
    await know('moved.example', ['192.0.2.1']);
    const later = lookUp('moved.example');
    asked.at(-1)?.answer.resolve(['192.0.2.2']);
    expect(await later).toEqual(['192.0.2.2']);
  });

  it('returns a fresh result at once without asking again', async () => {
    const { asked, know, lookUp } = openSystem(60_000);
    await know('api.example', ['192.0.2.1']);
    expect(lookUp('api.example')).toEqual(['192.0.2.1']);
    expect(asked).toHaveLength(1);
  });

  it('returns the previous result while the system does not respond', async () => {
    const { know, lookUp } = openSystem();
    await know('api.example', ['192.0.2.1']);
    expect(await lookUp('api.example')).toEqual(['192.0.2.1']);
  });

  it('returns the previous result when the system fails', async () => {
    const { asked, know, lookUp } = openSystem();
    await know('api.example', ['192.0.2.1']);
    const later = lookUp('api.example');
    asked.at(-1)?.answer.reject(new Error('try again'));
    expect(await later).toEqual(['192.0.2.1']);
  });

  it('rejects when the last result was empty and the system fails', async () => {
    const { asked, know, lookUp } = openSystem();
    await know('gone.example', ['192.0.2.1']);
    await know('gone.example', []);
    const later = lookUp('gone.example');
    asked.at(-1)?.answer.reject(new Error('try again'));
    await expect(later).rejects.toThrow('try again');
  });

  it('caches the last thousand names', async () => {
    const { asked, know, lookUp } = openSystem(60_000);
    for (let n = 0; n <= 1_000; n++) await know(`${n}.example`, ['192.0.2.1']);
    expect([lookUp('1.example'), lookUp('1000.example')]).toEqual([['192.0.2.1'], ['192.0.2.1']]);
    expect(asked).toHaveLength(1_001);
    void lookUp('0.example');
    expect(asked).toHaveLength(1_002);
  });
});
