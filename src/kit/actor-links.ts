// Declares the links with which the browser of an actor connects an account, and the face that it sees. decision: 074
import type { Face } from '../http/page.ts';
import type { Identity } from './actor.ts';
import type { Integration } from './integration.ts';

/** A link that somebody goes on with. */
export interface LiveLink {
  id: string;
  /** The product that has asked. */
  product: string;
  /** What the product calls the actor. */
  actor: string;
  face: Face;
  returnTo: string;
}

export interface ActorLinking {
  /** A link for the agent of an actor to show. Null for callers of people. */
  linkFor(
    caller: Identity,
    wish: { integration: Integration; account: string | undefined },
  ): Promise<{ url: string } | { error: string } | null>;
  /** Returns null once the link is over, or the key or the actor is gone, or no longer allows what the link was made for. */
  live(linkId: string): Promise<LiveLink | null>;
  /** Uses the link up. Exactly one of any number of parallel calls returns true. */
  finish(linkId: string): Promise<boolean>;
}

/** The address that a browser returns to, with what came of the link. */
export function addressAfter(
  { id, returnTo }: LiveLink,
  came: { connected: string } | { error: string },
): string {
  const url = new URL(returnTo);
  for (const [name, value] of Object.entries(came)) url.searchParams.set(name, value);
  url.searchParams.set('link', id);
  return url.href;
}
