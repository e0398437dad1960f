// Names the card of the gateway, and the tool that only the card calls.
export const CARD_URI = 'ui://gateway/card';
export const CARD_STATE = 'card_state';
