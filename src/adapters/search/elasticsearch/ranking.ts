import {
  CLASS_WEIGHTS,
  NAME_BEGINS,
  NAME_STEPS,
  nameCandidates,
  textNodes,
  WORD_STEPS,
  wholeToken,
  type SearchField,
  type SearchScope,
  type TextNode,
} from '../../../catalog/search/index.js';
import type { Places } from './columns.js';
import { scopeQuery } from './query.js';
import { any, every, NOTHING, type Query } from './query-language.js';
import { termOf } from './terms.js';
import { allWords, wordIn } from './word-query.js';

/** The most name candidates of one query; no client types more words. */
const MAX_CANDIDATES = 16;

/** Below one, and in the order of its argument; as `fraction` in the kernel, with as many digits. */
const FRACTION = `double x = _score * doc['standing'].value; return x <= 0 ? 0 : Math.round(x / (1 + x) * 1e4) / 1e4;`;

/**
 * The documents of a scope with the score of `catalog/search/ranking.ts`.
 * @param names fields that hold names
 * @param namesOnly leaves out the steps that tell apart what does not have the words in a name
 */
export function rankedQuery(
  scope: SearchScope,
  places: Places,
  names: readonly SearchField[],
  namesOnly = false,
): Query {
  const texts = textNodes(scope.query);
  const steps = texts.flatMap((node) => stepsOf(node, places, names, namesOnly));
  const named = any(texts.flatMap((node) => nameQueries(node, places, names).map(({ query }) => query)));
  const words = texts.map((node) => relevanceOf(node));
  return {
    bool: {
      filter: [scopeQuery(scope, places)],
      should: [
        { dis_max: { queries: steps } },
        fractionOf({ constant_score: { filter: named } }),
        { bool: { must: [fractionOf({ bool: { should: words } })], must_not: [named] } },
      ],
    },
  };
}

function fractionOf(query: Query): Query {
  return { script_score: { query, script: { source: FRACTION } } };
}

function constant(query: Query, boost: number): Query {
  return { constant_score: { filter: query, boost } };
}

/** Queries of which the one with the highest score counts. */
function stepsOf(node: TextNode, places: Places, names: readonly SearchField[], namesOnly: boolean): Query[] {
  const byName = nameQueries(node, places, names).map(({ query, step }) => constant(query, step));
  const should = [constant(allWords(['t.name'], node.words), WORD_STEPS.nameBeginnings)];
  if (!namesOnly) {
    const exact = node.words.map((word) => ({ ...word, prefix: false }));
    should.push(
      constant(allWords(['t.name'], exact), WORD_STEPS.nameWords - WORD_STEPS.nameBeginnings),
      // A word is about the entity when it stands in either of these.
      constant(every(node.words.map((word) => wordIn(['t.name', 't.text'], word))), WORD_STEPS.aboutIt),
    );
    const candidates = nameCandidates(node).slice(0, MAX_CANDIDATES);
    if (candidates.length > 0) should.push(constant(called(candidates), WORD_STEPS.wordIsName));
  }
  return [...byName, { bool: { should } }];
}

function called(tokens: readonly string[]): Query {
  return any([{ terms: { whole: tokens } }, { terms: { last: tokens } }]);
}

/** What makes a name that is the text, and how many steps that counts for. */
function nameQueries(node: TextNode, places: Places, names: readonly SearchField[]) {
  const text = node.text.trim();
  const token = wholeToken(text);
  const literal: Query[] = [{ term: { urn: text.toWellFormed() } }];
  for (const { name } of names) {
    const place = places.of(name);
    if (place.in === 'columns') literal.push({ term: { [place.text]: termOf(text) } });
  }
  const found: Array<{ query: Query; step: number }> = [{ query: any(literal), step: NAME_STEPS.literal }];
  if (token !== '') {
    found.push({ query: { term: { whole: token } }, step: NAME_STEPS.whole });
    found.push({ query: { term: { last: token } }, step: NAME_STEPS.lastPiece });
  }
  return found;
}

/** For each word the weight of the best class of text that it stands in; more when a name begins with the text. */
function relevanceOf(node: TextNode): Query {
  const must = node.words.map((word) => ({
    dis_max: {
      queries: [
        constant(wordIn(['t.name'], word), CLASS_WEIGHTS.name),
        constant(wordIn(['t.text'], word), CLASS_WEIGHTS.text),
        constant(wordIn(['t.minor'], word), CLASS_WEIGHTS.minor),
      ],
    },
  }));
  const token = wholeToken(node.text);
  if (token === '') return must.length === 0 ? NOTHING : { bool: { must } };
  return {
    function_score: {
      query: { bool: { must } },
      functions: [{ filter: { prefix: { whole: token } }, weight: NAME_BEGINS }],
    },
  };
}
