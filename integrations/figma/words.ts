// Lists words that people use for Figma and its tools, and that their texts lack.
import type { Words } from '../../src/kit/words.ts';

export const words: Words = {
  spoken: 'design mockup prototype',
  tools: {
    figma_render_images: 'export download: png svg pdf jpg frame screenshot picture design',
    figma_get_file: 'design layers frames structure document',
    figma_list_comments: 'feedback remarks',
  },
};
