// Lists words that people use for Jots and its tools, and that their texts lack.
import type { Words } from '../kit/words.ts';

export const words: Words = {
  spoken: 'website page',
  tools: {
    deploy_jot:
      'publish host share put create: online shareable static website page site app report html markdown landing prototype live',
    update_jot: 'change protect add replace: published website page site password public private settings',
    list_jots: 'my live published websites pages sites apps',
    get_jot: 'published settings',
    delete_jot: 'unpublish: offline down website page site',
  },
};
