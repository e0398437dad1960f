import { chromium, type Page } from 'playwright-core';
import axe from 'axe-core';
export async function x(): Promise<Page> { const b = await chromium.launch(); void axe.source; return b.newPage(); }
