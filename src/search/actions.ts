// Knows what verbs ask for: the action of a tool, the action of a query, and how near two actions are.
import { stem } from './stems.ts';

/** An action and its verbs. The first word after the colon is the wider action that also does it, if any. */
const ACTIONS: readonly (readonly [action: string, wider: string, verbs: string])[] = [
  ['show', '', 'show see view display look check watch inspect print monitor compute count'],
  ['list', 'show', 'list enumerate browse'],
  [
    'get',
    'show',
    'get extract say contain detail information info read fetch retrieve load summarize describe explain scrape visit',
  ],
  ['search', 'list', 'search find lookup locate discover query filter'],
  ['open', 'create', 'open'],
  ['add', 'create', 'add'],
  ['make', 'create', 'make'],
  ['book', 'create', 'book'],
  ['set', 'update', 'set'],
  ['save', 'create', 'save'],
  // German: to approve, and to share.
  ['freigeben', 'update', 'freigeben'],
  ['create', '', 'create new insert write generate compose register raise submit build introduce declare'],
  ['put', 'update', 'put'],
  [
    'update',
    '',
    'update edit change modify adjust fix correct toggle alter amend tweak revise configure replace',
  ],
  ['delete', '', 'delete remove erase discard destroy drop wipe purge unpublish'],
  ['send', '', 'send notify tell announce ping inform deliver alert'],
  ['post', 'send', 'post'],
  ['reply', 'send', 'reply respond answer'],
  ['forward', 'send', 'forward'],
  ['upload', 'create', 'upload store import'],
  ['download', 'get', 'download export'],
  ['render', 'download', 'render'],
  ['run', 'create', 'run start trigger launch execute dispatch play kick'],
  ['rerun', 'run', 'rerun retry restart repeat rebuild'],
  ['cancel', 'delete', 'cancel stop abort kill terminate halt'],
  ['approve', 'update', 'approve accept'],
  ['unapprove', 'update', 'unapprove withdraw retract revoke'],
  ['decline', 'update', 'decline reject refuse'],
  ['merge', 'update', 'merge land'],
  ['comment', 'create', 'comment'],
  ['share', 'update', 'share grant'],
  ['move', 'update', 'move transition transfer'],
  ['close', 'update', 'close reopen'],
  ['resolve', 'update', 'resolve acknowledge ack'],
  ['ignore', 'update', 'ignore'],
  ['rename', 'update', 'rename retitle'],
  ['enable', 'update', 'enable activate'],
  ['disable', 'update', 'disable deactivate'],
  ['reschedule', 'update', 'reschedule postpone'],
  ['assign', 'update', 'assign reassign unassign delegate'],
  ['archive', 'update', 'archive'],
  ['mark', 'update', 'mark star flag'],
  ['label', 'update', 'label tag categorize'],
  ['trash', 'delete', 'trash'],
  ['copy', 'create', 'copy duplicate'],
  ['fork', 'create', 'fork clone'],
  ['append', 'update', 'append'],
  ['attach', 'create', 'attach'],
  ['link', 'create', 'link relate connect'],
  ['log', 'create', 'log track record'],
  ['pin', 'update', 'pin'],
  ['react', 'create', 'react'],
  ['mute', 'update', 'mute silence'],
  ['snooze', 'update', 'snooze'],
  ['schedule', 'create', 'schedule plan arrange'],
  ['invite', 'update', 'invite'],
  ['request', 'create', 'request ask'],
  ['publish', 'create', 'publish deploy host ship'],
  ['release', 'create', 'release'],
  ['commit', 'create', 'commit push'],
  ['compare', 'get', 'compare diff'],
  ['convert', 'get', 'convert translate'],
  ['validate', 'get', 'validate lint verify'],
  ['annotate', 'create', 'annotate'],
  ['review', 'create', 'review'],
];

/** Actions that most tools have. Their verbs say nothing about the object. */
const PLAIN = new Set([
  'show',
  'list',
  'get',
  'search',
  'create',
  'update',
  'delete',
  'send',
  'post',
  'run',
  'save',
  'add',
  'make',
  'put',
  'set',
  'open',
]);

/** Words that are verbs only at the place of a verb: "comment on it", but not "the comments". */
const ALSO_NOUNS = new Set(
  (
    'comment label tag star flag pin log record track review release commit link request schedule plan reply answer copy ' +
    'fork clone branch build fix query filter search post ping alert mute archive share trash export import download upload ' +
    'set run start stop play store host deploy merge diff compare view look check watch monitor transfer move transition ' +
    'display change update issue count load kick silence new put state save register report test land clone attach push annotate open list'
  )
    .split(' ')
    .map(stem),
);

/** What a pair of related actions is worth. The first is what the query asks, the second what the tool does. */
const NEAR: Readonly<Record<string, number>> = {
  'show list': 0.95,
  'show compare': 0.9,
  'show convert': 0.7,
  'show validate': 0.6,
  'show render': 0.6,
  'list compare': 0.7,
  'get compare': 0.8,
  'show get': 1,
  'show search': 0.95,
  'list search': 0.9,
  'list get': 0.7,
  'get list': 0.8,
  'get search': 0.75,
  'search list': 0.88,
  'send create': 0.35,
  'post create': 0.6,
  'reply create': 0.6,
  'search get': 0.75,
  'get download': 0.9,
  'download get': 0.9,
  'show download': 0.7,
  'open create': 0.9,
  'open add': 0.8,
  'open get': 0.85,
  'open list': 0.4,
  'create open': 1,
  'create add': 0.9,
  'add create': 0.75,
  'add invite': 0.85,
  'add append': 0.95,
  'add attach': 0.9,
  'add upload': 0.85,
  'add comment': 0.95,
  'add label': 0.9,
  'add react': 0.9,
  'add log': 0.9,
  'add update': 0.5,
  'create update': 0.3,
  'put create': 0.85,
  'put publish': 0.8,
  'put upload': 0.75,
  'put move': 0.85,
  'update create': 0.3,
  'set update': 1,
  'set create': 0.75,
  'set schedule': 0.8,
  'put label': 0.95,
  'book create': 1,
  'book schedule': 1,
  'book log': 0.95,
  'book add': 0.8,
  'make create': 1,
  'make update': 0.75,
  'make share': 0.7,
  'make publish': 0.7,
  'create make': 1,
  'save create': 1,
  'save update': 0.7,
  'save upload': 0.95,
  'save get': 0.55,
  'save download': 0.6,
  'freigeben approve': 1,
  'freigeben share': 1,
  'create save': 1,
  'update save': 0.9,
  'update add': 0.3,
  'create upload': 0.95,
  'create send': 0.8,
  'create post': 0.8,
  'create reply': 0.7,
  'send post': 1,
  'post send': 1,
  'reply send': 0.9,
  'reply post': 0.9,
  'reply comment': 0.95,
  'reply add': 0.9,
  'send reply': 0.7,
  'run search': 0.75,
  'run publish': 0.5,
  'run rerun': 0.75,
  'run create': 0.8,
  'upload send': 0.4,
  'delete cancel': 0.9,
  'delete trash': 0.9,
  'trash delete': 0.9,
  'trash update': 0.6,
  'cancel delete': 0.9,
  'cancel update': 0.5,
  'delete archive': 0.6,
  'archive trash': 0.6,
  'archive delete': 0.6,
  'copy fork': 0.9,
  'fork copy': 0.9,
  'share create': 0.4,
  'invite create': 0.7,
  'label create': 0.7,
  'label add': 0.95,
  'comment add': 0.95,
  'comment create': 0.8,
  'react add': 0.95,
  'append add': 0.95,
  'invite add': 0.8,
  'attach add': 0.9,
  'log add': 0.9,
  'mark label': 0.7,
  'label mark': 0.7,
  'mute snooze': 0.8,
  'snooze mute': 0.8,
  'mute create': 0.6,
  'link attach': 0.6,
  'attach upload': 0.9,
  'upload attach': 0.7,
  'append create': 0.8,
  'create append': 0.6,
  'publish update': 0.5,
  'schedule post': 0.5,
  'reschedule move': 0.7,
  'rename move': 0.6,
  'move rename': 0.6,
  'commit upload': 0.6,
  'approve merge': 0.5,
  'annotate comment': 0.8,
  'review comment': 0.7,
  'request invite': 0.5,
  'react mark': 0.4,
  'log update': 0.4,
  'compare show': 0.8,
  'validate list': 0.6,
};

const WIDER = 0.4;
const NARROWER = 0.4;
const SIBLING = 0.1;

export interface Actions {
  verbs: readonly string[];
  /** The action that a verb stem names, or undefined for another word. */
  actionOf: (stem: string) => string | undefined;
  /** Whether a verb is a noun unless its place in the sentence says otherwise. */
  isAlsoNoun: (stem: string) => boolean;
  isPlain: (action: string) => boolean;
  /** From 0 to 1: how well a tool that does `done` serves a query that asks for `asked`. */
  nearness: (asked: string, done: string) => number;
}

export function createActions(): Actions {
  const byVerb = new Map<string, string>();
  const wider = new Map<string, string>();
  for (const [action, above, verbs] of ACTIONS) {
    if (above !== '') wider.set(action, above);
    for (const verb of verbs.split(' ')) byVerb.set(stem(verb), action);
  }

  // There are few actions, and a search compares them with those of each tool.
  const compared = new Map<string, Map<string, number>>();
  function nearness(asked: string, done: string): number {
    const row = compared.get(asked) ?? new Map<string, number>();
    compared.set(asked, row);
    const known = row.get(done) ?? compare(asked, done);
    row.set(done, known);
    return known;
  }

  function compare(asked: string, done: string): number {
    if (asked === done) return 1;
    const listed = NEAR[`${asked} ${done}`];
    if (listed !== undefined) return listed;
    const [aboveAsked, aboveDone] = [wider.get(asked), wider.get(done)];
    if (aboveAsked === done) return WIDER;
    if (aboveDone === asked) return NARROWER;
    if (aboveAsked !== undefined && NEAR[`${aboveAsked} ${done}`] !== undefined)
      return WIDER * (NEAR[`${aboveAsked} ${done}`] ?? 0);
    return aboveAsked !== undefined && aboveAsked === aboveDone ? SIBLING : 0;
  }

  return {
    verbs: ACTIONS.flatMap(([, , verbs]) => verbs.split(' ')),
    actionOf: (word) => byVerb.get(word),
    isAlsoNoun: (word) => ALSO_NOUNS.has(word),
    isPlain: (action) => PLAIN.has(action),
    nearness,
  };
}
