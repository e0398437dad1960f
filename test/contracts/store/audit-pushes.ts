// Tests what `AuditPushes` must do.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Store } from '../../../src/ports/store.ts';
import { NOW } from './records.ts';

export function auditPushesContract(store: () => Store): void {
  const pushes = () => store().auditPushes;

  describe('how far the audit log was sent', () => {
    it('is kept for each place, and never moves back', async () => {
      const [place, other] = [randomUUID(), randomUUID()];
      expect(await pushes().get(place)).toBeNull();
      for (const segment of [1, 5, 3]) await pushes().taken(place, segment, NOW + segment);
      const row = { place, segment: 5, pushed_at: NOW + 5, failed_at: null, error: null };
      expect(await pushes().get(place)).toEqual(row);
      expect(await pushes().get(other)).toBeNull();
    });

    it('remembers since when a collector fails and why it did last, until it takes rows', async () => {
      const place = randomUUID();
      await pushes().failed(place, 'away', NOW);
      await pushes().failed(place, 'full', NOW + 60);
      expect(await pushes().get(place)).toMatchObject({ segment: 0, failed_at: NOW, error: 'full' });
      await pushes().taken(place, 1, NOW + 90);
      expect(await pushes().get(place)).toMatchObject({ segment: 1, failed_at: null, error: null });
      await pushes().failed(place, 'away', NOW + 99);
      expect(await pushes().get(place)).toMatchObject({
        segment: 1,
        pushed_at: NOW + 90,
        failed_at: NOW + 99,
      });
    });
  });
}
