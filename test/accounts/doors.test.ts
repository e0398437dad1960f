// Runs what is expected of calls with one account where the person has two others. reference: Several accounts
import { describeWithOthers } from '../support/other-accounts.ts';

const OTHERS_STAY = 'a read uses another account afterwards';
const NAMED = 'the label is named here; test/proxy/accounts.test.ts expects it';
const UNNAMED = 'a key that does not say whose it is has to name its account';
const ADDS = 'it adds an account of its own';

describeWithOthers([
  {
    name: 'raw requests',
    load: () => import('../proxy/curl-proxy.test.ts'),
    only: { 'answers 409 from the next call on after a disconnect': OTHERS_STAY },
  },
  { name: 'relayed bodies', load: () => import('../proxy/relay.test.ts') },
  { name: 'rules for raw requests', load: () => import('../proxy/rules.test.ts') },
  {
    name: 'approvals of raw requests',
    load: () => import('../proxy/approvals.test.ts'),
    only: {
      'answers with the question, runs once after a yes, and asks again after that': NAMED,
      'keeps the reason of a no, and does not run': NAMED,
      'is refused when it is too large to be shown, with a length or in chunks': NAMED,
    },
  },
  { name: 'limits of a person', load: () => import('../proxy/limits-per-person.test.ts') },
  { name: 'bad upstreams', load: () => import('../proxy/misbehaviour.test.ts') },
  { name: 'reads of the proxy', load: () => import('../proxy/reads.test.ts') },
  { name: 'the request tool', load: () => import('../spec/request-tool.test.ts') },
  { name: 'a store that fails', load: () => import('../spec/rest-store-failures.test.ts') },
  { name: 'REST and MCP', load: () => import('../spec/one-read.test.ts') },
  {
    name: 'attacks on accounts',
    load: () => import('../policy/attacks-accounts.test.ts'),
    only: {
      'a yes is used by the account that it was given for': NAMED,
      'a yes does not hold when a check finds another account behind the same credential': NAMED,
      'a yes does not hold for an account that was connected after the former one was disconnected':
        OTHERS_STAY,
      'a yes does not hold after another account was connected beside the first': ADDS,
      'a question ends with the account that it was asked for': ADDS,
      'a yes does not survive a gateway that stops at write 1 while it stores an account without a name':
        UNNAMED,
      'a yes does not survive a gateway that stops at write 2 while it stores an account without a name':
        UNNAMED,
    },
  },
  { name: 'attacks on doors', load: () => import('../policy/attacks-doors.test.ts') },
  { name: 'GitHub', load: () => import('../integrations/github.test.ts') },
  { name: 'PostHog', load: () => import('../integrations/posthog.test.ts') },
]);
