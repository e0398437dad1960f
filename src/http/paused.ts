// Declares what a paused agent is told. reference: Agents; decision: 064

/** Thrown while the caller is identified, so that no door goes on. */
export class AgentPaused extends Error {
  override readonly name = 'AgentPaused';

  /** `agent` is the name of a key or a client, if it has one. */
  constructor(agent: string | null) {
    super(
      `${agent ?? 'This agent'} is paused. The person it works for can let it go on, on the page Agents of the portal.`,
    );
  }
}
