// Makes the question that sends the person to a page: by its address, or as a form whose text has the address. The
// answer decides nothing: it only says that the person has looked. MCP 2026-07-28, Elicitation
import * as z from 'zod';
import { isObject } from '../json/json.ts';
import { capabilitiesIn } from './client-capabilities.ts';

export type Mode = 'url' | 'form';

export interface Question {
  id: string;
  url: string;
  /** What a client shows beside the address that it opens. */
  message: string;
  /** What a form shows above the address. */
  formMessage: string;
}

const NOT_NOW = 'not now';

const FORM = {
  type: 'object',
  properties: {
    answer: {
      type: 'string',
      title: 'Have you finished on that page?',
      description: 'This answer decides nothing. Only the page does',
      enum: ['done', NOT_NOW],
      default: 'done',
    },
  },
};

const Response = z.looseObject({
  action: z.enum(['accept', 'decline', 'cancel']),
  content: z.looseObject({ answer: z.unknown() }).optional().catch(undefined),
});

/** The answers to the questions of one result. */
export const Responses = z.record(z.string(), Response);

/** How the client can be asked. Null when it cannot be. A client that says nothing of a mode shows forms. */
export function modeOf(params: Record<string, unknown>): Mode | null {
  const capabilities = capabilitiesIn(params);
  const elicitation = isObject(capabilities) ? capabilities['elicitation'] : undefined;
  if (!isObject(elicitation)) return null;
  if (isObject(elicitation['url'])) return 'url';
  return isObject(elicitation['form']) || Object.keys(elicitation).length === 0 ? 'form' : null;
}

export function requestOf(mode: Mode, { id, url, message, formMessage }: Question) {
  const params =
    mode === 'url'
      ? { mode, message, url, elicitationId: id }
      : // The address is plain text, because a form should have nothing to click on.
        { mode, message: `${formMessage}\n${url}`, requestedSchema: FORM };
  return { method: 'elicitation/create', params };
}

/** Whether the person has refused to look at a question. */
export const isDeclined = (responses: z.infer<typeof Responses>): boolean =>
  Object.values(responses).some(({ action, content }) => action !== 'accept' || content?.answer === NOT_NOW);
