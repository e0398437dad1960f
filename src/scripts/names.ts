// Names saved scripts and their tools. No tool of the integration itself begins like these.

export const SCRIPTS = 'scripts';
export const SCRIPT_NAME = /^[a-z][a-z0-9_]{0,47}$/;
export const SCRIPT_NAME_RULE = 'must be 1 to 48 of a-z, 0-9 and _, and begin with a letter';

export const toolNameOf = (script: string): string => `${SCRIPTS}_${script}`;

export const NO_SCRIPT = 'There is no script of this name';
export const NO_RUN = 'There is no such run of this caller. Runs are kept for a day. script_list shows yours';
