// Says in plain words what the page of a tool may do, for the person who imports it.
import type { AppMeta, AppPermissions } from '../kit/tool-app.ts';
import type { PinnedApp } from './pinned/definition.ts';

export interface ShownApp {
  uri: string;
  bytes: number;
  digest: string;
  /** What the page may do, a sentence each. */
  may: string[];
}

const DOMAINS = [
  ['resourceDomains', 'load scripts, styles, fonts and pictures from'],
  ['connectDomains', 'send and read data at'],
  ['frameDomains', 'show other pages of'],
  ['baseUriDomains', 'resolve its addresses against'],
] as const;

const PERMISSIONS = {
  camera: 'use the camera',
  microphone: 'use the microphone',
  geolocation: 'read the place of the device',
  clipboardWrite: 'write to the clipboard',
} satisfies Record<keyof AppPermissions, string>;

export const showApp = ({ uri, bytes, digest, ...meta }: PinnedApp): ShownApp => ({
  uri,
  bytes,
  digest,
  may: wordsOf(meta),
});

function wordsOf({ csp = {}, permissions = {} }: AppMeta): string[] {
  const reaches = DOMAINS.flatMap(([member, does]) => {
    const domains = csp[member] ?? [];
    return domains.length === 0 ? [] : [`This app may ${does} ${domains.join(', ')}.`];
  });
  const uses = Object.entries(PERMISSIONS).flatMap(([name, does]) =>
    name in permissions ? [`This app may ${does}.`] : [],
  );
  const words = [...reaches, ...uses];
  return words.length === 0 ? ['This app reaches nothing on the network, and nothing of the device.'] : words;
}
