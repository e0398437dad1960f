// The store on D1, in a real workerd.
import { openEmptyD1, storeOn } from './store/open.ts';
import { storeContract } from './store-contract.ts';

storeContract('d1', () => storeOn(openEmptyD1()));
