// Declares what tells of a stored event. reference: Event subscriptions

/** Is told of each event of the outside once it is durable, by the process that has stored it. */
export type EventStored = (event: { userId: string; subscription: string; id: string }) => void;
