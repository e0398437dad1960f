// Lists kinds of issuers: their address, what a subject looks like, and the claims that they send.
import { machinesTexts } from '../../texts/machines.ts';

const words = machinesTexts.presets;

export const PRESETS = ['github', 'gitlab', 'kubernetes', 'other'] as const;
export type Preset = (typeof PRESETS)[number];

interface About {
  label: string;
  name: string;
  issuer: string;
  /** An example, for people who write a pattern. */
  sub: string;
  claims: readonly string[];
  note: string;
}

export const ABOUT: Readonly<Record<Preset, About>> = {
  github: {
    ...words.github,
    issuer: 'https://token.actions.githubusercontent.com',
    sub: 'repo:acme/web:ref:refs/heads/main',
    claims: ['repository', 'repository_owner', 'ref', 'environment', 'workflow', 'event_name', 'actor'],
    note: words.notes.github,
  },
  gitlab: {
    ...words.gitlab,
    issuer: 'https://gitlab.com',
    sub: 'project_path:acme/web:ref_type:branch:ref:main',
    claims: ['project_path', 'namespace_path', 'ref', 'ref_protected', 'environment', 'pipeline_source'],
    note: words.notes.gitlab,
  },
  kubernetes: {
    ...words.kubernetes,
    issuer: '',
    sub: 'system:serviceaccount:jobs:report',
    claims: [],
    note: words.notes.kubernetes,
  },
  other: { ...words.other, issuer: '', sub: '', claims: [], note: words.notes.other },
};
