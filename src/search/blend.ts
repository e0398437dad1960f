// Blends the two rankings: plain texts find tools of every origin, and our own ranking orders the places of our own tools. decision: 033
import type { Section } from './joined-index.ts';
import type { Scores } from './rank.ts';
import type { Found } from './segment.ts';
import type { TextScores } from './text-rank.ts';

/** What our own ranking is worth beside the texts. Its square counts: a middling score is rather chance. */
const RANKED_WORTH = 8;
/** Our own tool comes first where both fit about as well. */
const OWN_WORTH = 0.1;
const COSINE_WORTH = 1;
/** A tool that shares no word with the query has to be so near. */
const MIN_COSINE = 0.35;
/** Between tools that do the same, the connected one comes first. */
const CONNECTED = 1.1;
/** The score of our own ranking from which a hit is not weak, and not unsure. */
const SURE = { weak: 0.4, unsure: 0.8 };
/** The share of the query's words, by their rarity, from which a hit is not weak, and not unsure. */
const EXPLAINED = { weak: 0.5, unsure: 0.9 };
/** Our own ranking knows the words of people for our own tools only. It says less where an import has as many of the words. */
const IMPORTED_SURENESS = 2 / 3;
/** Words that are all there say less than our own ranking, which also reads what is to be done. */
const WORDS_SURENESS = 2 / 3;
/** From this share of the best score on, a tool of another integration may as well be meant. */
const RIVAL = 0.75;
/** The server of the best tools adds to its tools, by its three best among the first forty. */
const SERVER_WORTH = 0.2;
const SERVER_TOOLS = 3;
const SERVER_PLACES = 40;

export interface Hit {
  tool: Found;
  /** The words of the tool say less than half of what the query says, and our own ranking is not sure of it either. */
  isWeak: boolean;
  /** Something of the query is not said by the tool, so another one may be meant. */
  isUnsure: boolean;
}

export interface Blended {
  /** The hits, the best first, as many as were asked for. */
  hits: readonly Hit[];
  /** The score of the best tool of each integration. Integrations without a tool that fits are absent. */
  servers: ReadonlyMap<string, number>;
  /** From 0, also where a tool of another integration fits about as well as the best hit, to 1 and more. */
  sureness: number;
}

interface Blending {
  sections: readonly Section[];
  ranked: Scores;
  texts: TextScores;
  connected: ReadonlySet<string>;
  limit: number;
  isShown: (tool: Found) => boolean;
}

type Candidate = { tool: Found; isOwn: boolean; ranked: number; text: number; score: number; order: number };

export function blend({ sections, ranked, texts, connected, limit, isShown }: Blending): Blended {
  const candidates: Candidate[] = [];
  let bestText = Number.MIN_VALUE;
  let bestCosine = Number.MIN_VALUE;
  for (const [place, { segment }] of sections.entries()) {
    const [rankedHere, textsHere, nearHere] = [ranked[place], texts.texts[place], texts.near?.[place]];
    for (const [at, { tool }] of segment.rows().entries()) {
      const own = rankedHere?.[at] ?? 0;
      const text = textsHere?.[at] ?? 0;
      const cosine = nearHere?.[at] ?? 0;
      if ((own === 0 && text === 0 && cosine < MIN_COSINE) || !isShown(tool)) continue;
      bestText = Math.max(bestText, text);
      bestCosine = Math.max(bestCosine, cosine);
      // The score is the cosine until the best one is known.
      candidates.push({
        tool,
        isOwn: !segment.isImported,
        ranked: own,
        text,
        score: cosine,
        order: candidates.length,
      });
    }
  }
  for (const each of candidates) {
    const near = COSINE_WORTH * texts.nearShare * Math.max(0, each.score / bestCosine);
    const own = RANKED_WORTH * each.ranked ** 2 + (each.isOwn && each.ranked > 0 ? OWN_WORTH : 0);
    each.score = (each.text / bestText + own + near) * (connected.has(each.tool.integration) ? CONNECTED : 1);
  }
  const servers = scoreServers(firstOf(candidates, SERVER_PLACES, byScore));
  const bestOf = new Map<string, number>();
  for (const each of candidates) {
    const { integration } = each.tool;
    each.score += SERVER_WORTH * (servers.get(integration) ?? 0);
    bestOf.set(integration, Math.max(each.score, bestOf.get(integration) ?? 0));
  }

  const best = firstOf(candidates, limit, byScore);
  const ownPlaces = best.filter(({ isOwn }) => isOwn).length;
  const ownTools = ownPlaces === 0 ? [] : candidates.filter(({ isOwn }) => isOwn);
  const own = firstOf(ownTools, ownPlaces, byRanking).values();
  const merged = best.map((each) => (each.isOwn ? (own.next().value ?? each) : each));
  return {
    hits: merged.map(({ tool, ranked: score, text }) => ({
      tool,
      isWeak: score < SURE.weak && text < EXPLAINED.weak * texts.whole,
      isUnsure: score < SURE.unsure && text < EXPLAINED.unsure * texts.whole,
    })),
    servers: bestOf,
    sureness: surenessOf(merged[0], candidates, bestOf, texts.whole),
  };
}

function surenessOf(
  best: Candidate | undefined,
  candidates: readonly Candidate[],
  servers: Blended['servers'],
  whole: number,
): number {
  if (best === undefined) return 0;
  const { integration } = best.tool;
  const least = RIVAL * (servers.get(integration) ?? 0);
  for (const [name, score] of servers) if (name !== integration && score > least) return 0;
  const isOurs = best.isOwn && !candidates.some(({ isOwn, text }) => !isOwn && text >= best.text);
  return Math.max(best.ranked * (isOurs ? 1 : IMPORTED_SURENESS), (WORDS_SURENESS * best.text) / whole);
}

type Order = (one: Candidate, other: Candidate) => number;
const byScore: Order = (one, other) => other.score - one.score || one.order - other.order;
const byRanking: Order = (one, other) => other.ranked - one.ranked || byScore(one, other);

/** Returns the first so many in their order, without sorting the others. */
function firstOf(candidates: readonly Candidate[], count: number, order: Order): Candidate[] {
  if (candidates.length <= count) return candidates.toSorted(order);
  const first: Candidate[] = [];
  for (const each of candidates) {
    const last = first.at(-1);
    if (first.length === count && last !== undefined && order(last, each) <= 0) continue;
    let [low, high] = [0, first.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = first[middle];
      if (other !== undefined && order(other, each) <= 0) low = middle + 1;
      else high = middle;
    }
    first.splice(low, 0, each);
    if (first.length > count) first.pop();
  }
  return first;
}

/** Sums the best scores of each integration, and sets them against the largest sum. */
function scoreServers(best: readonly Candidate[]): Map<string, number> {
  const sums = new Map<string, number>();
  const counts = new Map<string, number>();
  for (const { tool, score } of best) {
    const count = counts.get(tool.integration) ?? 0;
    if (count === SERVER_TOOLS) continue;
    counts.set(tool.integration, count + 1);
    sums.set(tool.integration, (sums.get(tool.integration) ?? 0) + score);
  }
  const largest = Math.max(Number.MIN_VALUE, ...sums.values());
  return new Map([...sums].map(([integration, sum]) => [integration, sum / largest]));
}
