// Waits for nothing, because the program carries the texts of the integrations itself.
import type { Texts } from '../../src/ports/texts.ts';

export const createCarriedTexts = (): Texts => ({ of: async () => {}, all: async () => {} });
