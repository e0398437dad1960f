// Lists every tool that a gateway can have, for those who read about tools: the shipped integrations, and those that rooms define.
import { integrations } from '../../integrations/all.ts';
import { createEventsIntegration, type LateParts } from '../../src/events/integration.ts';
import type { Files } from '../../src/files/files.ts';
import { createFilesIntegration } from '../../src/files/integration.ts';
import type { FileUploads } from '../../src/files/uploads.ts';
import { createJotsIntegration } from '../../src/jots/integration.ts';
import type { Jots } from '../../src/jots/jots.ts';
import { createRegistry } from '../../src/kit/registry.ts';
import { createScriptsIntegration } from '../../src/scripts/integration.ts';

// The tools of these integrations are only listed here and never run.
const nothing = {};
export const registry = createRegistry([
  ...integrations,
  createJotsIntegration(nothing as Jots),
  createFilesIntegration(nothing as Files, nothing as FileUploads),
  createEventsIntegration(nothing as LateParts),
  createScriptsIntegration(nothing as Parameters<typeof createScriptsIntegration>[0]),
]);
