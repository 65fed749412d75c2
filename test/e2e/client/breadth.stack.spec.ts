import { afterAll, beforeAll, describe } from '@jest/globals';
import { Shop } from './shop.js';
import { stepsOf } from './steps.js';

/** What some clients could not do once. Finding a domain by its name takes the hits of searches as objects. */
describe("the field's SDK and command line, with CATALOG_COMPATIBILITY=reference", () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await Shop.open({ CATALOG_COMPATIBILITY: 'reference' });
  });
  afterAll(() => shop?.close());

  stepsOf(() => shop.client, 'breadth.py', {
    'a form is put to entities': ['urn:li:form:breadth_a'],
    'a form is put to what a filter finds': true,
    'an assertion is made': 'urn:li:assertion:breadth',
    'an assertion is reported': true,
    'assertions of a dataset are read': {
      total: 1,
      assertions: [{ urn: 'urn:li:assertion:breadth', runEvents: { total: 1, succeeded: 1 } }],
    },
    'an incident is raised': 'late',
    'a connection is kept': { host: 'db' },
    'an asset becomes a version': ['urn:li:versionSet:(breadth,dataset)', true],
    'an asset becomes the version after another': [false, true],
    'a domain is found by its name': 'urn:li:domain:breadth',
    'a recipe names a domain by its name': ['urn:li:domain:breadth'],
    'what a run no longer sees is removed': [{ removed: false }, { removed: true }],
    'a job that does not exist is removed': true,
    'the clean-up of the field ends': [1, 0],
    'ingest list-source-runs': null,
    'properties list': true,
    'search in the query language': 1,
    'migrate dataplatform2instance': true,
    'migrate instance2instance': true,
  });
});
