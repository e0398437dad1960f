// Runs the table of pauses on SQLite. reference: Scripts; decision: 059
import { openScripts } from '../support/script-stand.ts';
import { pausesContract } from './pauses-contract.ts';

pausesContract(() => openScripts());
