// Declares what the palette can go to or do.
import type { IconName } from '../parts/icon.tsx';
import type { paletteTexts } from '../texts/palette.ts';

export interface Entry {
  /** Unique in the palette. */
  id: string;
  group: keyof typeof paletteTexts.groups;
  label: string;
  /** What is shown beside the label, and searched too. */
  detail?: string;
  /** The address of a mark; null for a letter. */
  mark?: string | null;
  icon?: IconName;
  run: () => void;
}
