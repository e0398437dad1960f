// Names the place of the settings of an import for their seal.
import type { Place } from '../../crypto/seal.ts';

export const placeOfImport = (id: string): Place => ['', id, 'import'];
