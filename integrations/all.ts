// Every integration, in load order.
import type { Integration } from '../src/integration.ts';
import { time } from './time/manifest.ts';

export const integrations: readonly Integration[] = [time];
