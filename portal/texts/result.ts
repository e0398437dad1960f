// Holds the texts of the result of a run.
export const resultTexts = {
  reconnect: 'Reconnect',
};
