// The limits of jots. reference: Limits

export const JOT_COOKIE_SECONDS = 2_592_000;
export const JOT_UNLOCK_TRIES = 5;
export const JOT_UNLOCK_WINDOW_SECONDS = 60;
export const JOT_PREFLIGHT_SECONDS = 600;
// The times of collecting jot blobs. A deploy ends long before the sweep may take its staged blobs. A blob that left a
// jot is kept for readers that have just read where it is. docs/storage.md
export const JOT_DEPLOY_SECONDS = 1_800;
export const JOT_STAGED_SECONDS = 24 * 3_600;
export const JOT_RETIRED_SECONDS = 3_600;
export const JOT_SWEEP_SECONDS = 3_600;
/** How many versions of a jot are kept, with the live one. */
export const JOT_VERSIONS = 10;
/** The part of a person's bytes that earlier versions may take. */
export const JOT_VERSIONS_PART = 1 / 4;
/** How long views are recent, and how long counted views wait for their write. */
export const JOT_VIEW_DAYS = 30;
export const JOT_VIEWS_FLUSH_SECONDS = 60;
