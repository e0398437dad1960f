// Describes the routes of the signed-in person: who am I, log out, and the API key. reference: Portal sign-in; API keys
import * as z from 'zod';
import { failure, type Operations, reply, succeeded } from '../http/operation.ts';

const person = () => z.object({ id: z.string(), email: z.string() });
const apiKey = () => z.object({ apiKey: z.string().describe('64 hex digits') });
const keyState = () => z.object({ hasKey: z.boolean() });
export type Person = z.infer<ReturnType<typeof person>>;
export type ApiKey = z.infer<ReturnType<typeof apiKey>>;
export type KeyState = z.infer<ReturnType<typeof keyState>>;

const GONE = failure('The user is gone');

export const authOperations: Operations = () => ({
  'GET /api/auth/me': {
    id: 'getMe',
    tag: 'Person',
    summary: 'Who is signed in',
    access: 'read',
    caller: 'portal',
    replies: { 200: reply('The person', person()), 404: GONE },
  },
  'POST /api/auth/logout': {
    id: 'logOut',
    tag: 'Person',
    summary: 'Log out',
    description: 'Changes nothing on the server: a session ends with its time. The client forgets its token.',
    access: 'write',
    caller: 'anyone',
    replies: { 200: succeeded('Always') },
  },
  'POST /api/keys': {
    id: 'createApiKey',
    tag: 'Person',
    summary: 'Create an API key',
    description: 'Replaces the former key, which stops working at once.',
    access: 'write',
    caller: 'portal',
    replies: {
      200: reply('The new key', apiKey()),
      404: GONE,
      429: failure('Too many keys and passwords of the person wait to be hashed'),
    },
  },
  'GET /api/keys': {
    id: 'getApiKeyState',
    tag: 'Person',
    summary: 'Whether there is an API key',
    access: 'read',
    caller: 'portal',
    replies: { 200: reply('Whether the person has a key', keyState()), 404: GONE },
  },
  'GET /api/keys/reveal': {
    id: 'revealApiKey',
    tag: 'Person',
    summary: 'Show the API key',
    access: 'read',
    caller: 'portal',
    replies: {
      200: reply('The key', apiKey()),
      404: failure('There is no key, or the user is gone'),
      409: failure('The key works, but no encryption key opens it'),
    },
  },
  'DELETE /api/keys': {
    id: 'deleteApiKey',
    tag: 'Person',
    summary: 'Delete the API key',
    access: 'destroy',
    caller: 'portal',
    replies: { 200: succeeded('The key does not work any more') },
  },
});
