// Tells when the picture of a jot may still come, and what a change of settings means for it.
import type { Jot, JotSummary } from '../../api/jots.ts';

export const PICTURE_POLL_MS = 4_000;
/** A gateway without a browser makes no pictures, so nobody waits for one longer. */
const WAIT_SECONDS = 60;

export const awaitsPicture = ({ access, thumbnail, updatedAt }: Jot): boolean =>
  access === 'public' && thumbnail === null && Date.now() / 1000 - updatedAt < WAIT_SECONDS;

/** A locked jot has no picture. */
export const withSettings = <J extends Jot>(jot: J, now: JotSummary): J => ({
  ...jot,
  ...now,
  thumbnail: now.access === 'password' ? null : jot.thumbnail,
});
