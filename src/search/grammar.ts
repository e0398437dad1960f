// Lists the small words of English, German and French that tell what the other words of a query are, as data.

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** After these words a noun is used as a verb: "to comment", "please label". */
export const LEADS = words(
  'to please i you we and then can could should must want need help let lets us me bitte pls how',
);

export const ARTICLES = words(
  'a an the this that these those my our your his her their him them us me someone somebody everyone everybody all',
);

/** What follows is what a message or a document is about, not what is asked. */
export const ABOUT = words('about saying regarding concerning mentioning containing uber dass concernant');

/** What follows is a circumstance of the object. */
export const FOR = words('for fur pour');

/** The next word is what is not meant. */
export const WITHOUT = words('without ohne sans');

/** What is asked for is more than one thing, although the noun may not say so: "new mail". */
export const MANY = words(
  'all any every new unread recent several alle neue neuen ungelesene tous toutes nouveaux welche quels quelles les des mes offene offenen',
);

/** Adjectives that many things have. */
export const QUALIFIERS = words(
  'top latest recent newest last best popular trending important active current available interactive main own specific failed failing broken closed merged pending unresolved',
);

/** "The status of a project" is about the project. */
export const ATTRIBUTES = words(
  'status state result results name title description summary content text value size priority location date number detail details',
);

/** "Build the app" is a request, "build status" is a noun. */
export const NEED_ARTICLE = words('build test report issue check state load count diff');

/** Verbs that say nothing as another kind of word: "open issues", "a bullet list". */
export const EMPTY_NOUNS = words('open list');

/** Actions that the last word of a query may name: "drive upload". */
export const LAST_VERBS = words('upload download search share copy move archive fork merge');

/** Words that begin a question. */
export const QUESTIONS = words(
  'what which who whom whose when where why is are was were does did do has have had any whats whos',
);

/** Words that make "how" a question about something, and not about how to do it. */
export const HOW_QUESTIONS = words('many much often long full big did does is are do');
