import { describe, expect, it } from '@jest/globals';
import { insidesIn } from './refusals.js';

const problem = (message: string, request = 'GET /openapi/v3/entity/dataset') => ({
  request,
  status: 400,
  body: { message, detail: message, errors: [] },
});

/** As the fields of the index have it in their names. */
const GENERATION = Date.now().toString(36);

describe('insidesIn', () => {
  it.each([
    [`structuredProperties.num ${GENERATION} holds numbers`, GENERATION],
    ['no row in timeseries_aspect', 'timeseries_aspect'],
    ['ProposalProcessor: unknown', 'ProposalProcessor'],
    ['the value undefined is none', 'undefined'],
    ['cannot read /srv/src/main.ts', '/srv/src/main.ts'],
    ['TypeError: x is not a function', 'TypeError'],
    ['index_not_found_exception', 'index_not_found_exception'],
  ])('finds them in %j', (message, word) => {
    expect(insidesIn(problem(message)).join()).toContain(word.slice(-8));
    const graph = { request: '', status: 200, body: { data: null, errors: [{ message }] } };
    expect(insidesIn(graph)).not.toEqual([]);
  });

  it('allows words of the documents, of people, and of the request', () => {
    const words = [
      'CreateAccessTokenInput',
      'multiple messages modified',
      'datasetProperties',
      'createIfNotExists=false',
    ];
    expect(insidesIn(problem(words.join(' ')))).toEqual([]);
    expect(insidesIn(problem('unknown action "change_log"', 'POST /entities?action=change%5Flog'))).toEqual(
      [],
    );
  });
});
