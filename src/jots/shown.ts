// Describes jots for the portal: their files, versions, views and pictures. reference: Portal API
import { agentKeyIdOf, clientActorId, SESSION } from '../kit/actor.ts';
import { shownText } from '../kit/shown-text.ts';
import type { Jot } from '../ports/records.ts';
import type { Manifest, Publisher, Version } from './model/manifest.ts';
import { typeOf } from './serving/headers.ts';

export interface JotSummary {
  name: string;
  url: string;
  access: Jot['access'];
  cors: boolean;
  files: number;
  bytes: number;
  updatedAt: number;
}

export interface ShownViews {
  total: number;
  /** Counts the last 30 days. */
  recent: number;
}

export interface ShownJot extends JotSummary {
  views: ShownViews;
  /** The path of its picture, which changes with the picture. */
  thumbnail: string | null;
}

export interface ShownVersion {
  version: number;
  current: boolean;
  publishedAt: number;
  files: number;
  bytes: number;
  by: { kind: 'session' | 'key' | 'agent-key' | 'client'; name: string | null } | null;
}

export interface ShownJotPage extends ShownJot {
  createdAt: number;
  /** The files of the live version, by path. */
  content: { path: string; bytes: number; type: string }[];
  /** The newest first. */
  versions: ShownVersion[];
}

export function thumbnailAddress({ name, thumbnail }: Pick<Jot, 'name' | 'thumbnail'>): string | null {
  if (thumbnail === null) return null;
  const [, , folder = ''] = thumbnail.split('/');
  return `/api/jots/${name}/thumbnail?of=${folder}`;
}

/** Describes what is beside the summary. A lost manifest has neither files nor versions. */
export function describePage(
  jot: Jot,
  manifest: Manifest | null,
  recent: number,
): Omit<ShownJotPage, keyof JotSummary> {
  const { files, bytes, created_at, updated_at, views } = jot;
  const current =
    manifest === null ? [] : [showVersion(manifest.current, updated_at, true, { files, bytes })];
  const earlier = (manifest?.earlier ?? []).map((version) =>
    showVersion(version, version.at, false, version),
  );
  return {
    views: { total: views, recent },
    thumbnail: thumbnailAddress(jot),
    createdAt: created_at,
    content: [...(manifest?.files ?? [])]
      .map(([path, { size }]) => ({ path, bytes: size, type: typeOf(path) }))
      .toSorted((one, other) => (one.path < other.path ? -1 : 1)),
    versions: [...current, ...earlier].toSorted((one, other) => other.version - one.version),
  };
}

function showVersion(
  { number, at, by }: Version,
  updatedAt: number,
  current: boolean,
  { files, bytes }: { files: number; bytes: number },
): ShownVersion {
  return { version: number, current, publishedAt: at ?? updatedAt, files, bytes, by: showPublisher(by) };
}

function showPublisher(by: Publisher | null): ShownVersion['by'] {
  return by === null ? null : { kind: kindOf(by), name: shownText(by.name) };
}

function kindOf({ id }: Publisher): NonNullable<ShownVersion['by']>['kind'] {
  if (agentKeyIdOf({ id }) !== null) return 'agent-key';
  if (id.startsWith(clientActorId(''))) return 'client';
  return id === SESSION.id ? 'session' : 'key';
}
