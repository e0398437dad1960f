// Plays an agent whose calls a rule asks about, and looks at the gateway's approvals.
import { expect } from 'vitest';
import type { Banner, Gateway } from '../support/gateway-process.ts';

export const ASK = [{ tool: 'upload_file', decision: 'ask' }];

export interface AskingAgent {
  /** Replaces the person's rules. */
  setRules(rules: object[]): Promise<void>;
  /** Calls upload_file with this content. */
  upload(content: string, name?: string): Promise<{ status: number; body: Answer }>;
  /** Calls upload_file, and returns the id of the approval that it needs. */
  ask(content: string, name?: string): Promise<string>;
  decide(id: string, decision: object): Promise<void>;
  stateOf(id: string): Promise<string>;
}

interface Answer {
  error?: string;
  message?: string;
  approval?: { id: string; url: string };
  result?: unknown;
}

export function openAskingAgent({ request, session, apiKey }: Gateway & Banner): AskingAgent {
  async function send(headers: Record<string, string>, method: string, path: string, body?: object) {
    const response = await request(path, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  }
  const asPerson = { authorization: `Bearer ${session}` };

  const agent: AskingAgent = {
    async setRules(rules) {
      expect((await send(asPerson, 'PUT', '/api/policy', { rules })).status).toBe(200);
    },
    upload: (content, name = 'notes.txt') =>
      send({ 'x-service-api-key': apiKey }, 'POST', '/rest/files', {
        tool: 'upload_file',
        args: { name, content },
      }),
    async ask(content, name) {
      const { status, body } = await agent.upload(content, name);
      expect({ status, error: body.error }).toEqual({ status: 409, error: 'APPROVAL_REQUIRED' });
      return body.approval?.id ?? '';
    },
    async decide(id, decision) {
      expect((await send(asPerson, 'POST', `/api/approvals/${id}`, decision)).status).toBe(200);
    },
    async stateOf(id) {
      return (await send(asPerson, 'GET', `/api/approvals/${id}`)).body.state;
    },
  };
  return agent;
}
