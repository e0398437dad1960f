// Declares the event that a person has decided about a call. Features that listen say so in their value. decision: 002

/** Returns at once: the answer to the person waits for no listener. */
export type ApprovalDecided = (decided: { userId: string; approval: string }) => void;
