// Declares what the palette can go to or do.
import type { paletteTexts } from '../texts/palette.ts';

export interface Entry {
  /** Unique in the palette. */
  id: string;
  group: keyof typeof paletteTexts.groups;
  label: string;
  /** What is shown beside the label, and searched too. */
  detail?: string;
  run: () => void;
}
