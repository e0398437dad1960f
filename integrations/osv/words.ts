// Lists words that people use for OSV and its tools, and that their texts lack.
import type { Words } from '../../src/kit/words.ts';

export const words: Words = {
  tools: {
    osv_query_package:
      'check search: vulnerability dependency library affected module npm pypi pip maven cargo crate golang rubygems security hole safe secure cve advisory audit known',
    osv_get_vulnerability: 'get: vulnerabilityid advisory detail severity affected security',
  },
};
