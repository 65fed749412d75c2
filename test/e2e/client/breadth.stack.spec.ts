import { afterAll, beforeAll, describe } from '@jest/globals';
import { Shop } from './shop.js';
import { stepsOf } from './steps.js';

/** A case of each kind of what they do. Finding a domain by its name takes the hits of searches as objects. */
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
    'operations close a circuit': [false, false, true],
    'an incident is raised': 'late',
    'a connection is kept': { host: 'db' },
    'an asset becomes a version': ['urn:li:versionSet:(breadth,dataset)', true],
    'an asset becomes the version after another': [false, true],
    'a domain is found by its name': 'urn:li:domain:breadth',
    'a recipe names a domain by its name': ['urn:li:domain:breadth'],
    'a recipe says where its tags come from': [['own', 'a', 'b'], ['own', 'b', 'c'], ['own']].map((tags) =>
      tags.map((tag) => `urn:li:tag:${tag}`),
    ),
    'what a run no longer sees is removed': [{ removed: false }, { removed: true }],
    'a job that does not exist is removed': true,
    'the clean-up of the field ends': [1, 0],
    'ingest list-source-runs': null,
    'properties list': true,
    'search in the query language': 1,
    'migrate dataplatform2instance': [false, true],
    'migrate instance2instance': [false, true],
    'does not work: user add, as invitations cannot be read again': true,
    'does not work: init with a password, as a session writes for pages of its origin only': [
      403,
      'NOT_ALLOWED',
    ],
    'events are polled': [200, 1],
    'does not work: offsets of Kafka, which is not there': 'ROUTE_UNKNOWN',
    'check server-config': true,
    put: true,
    get: 'put',
    exists: true,
    'user upsert': 'ada@example.org',
    'group upsert': ['urn:li:corpGroup:tasters'],
    'properties upsert': 'More',
    'properties get': 'More',
    'forms get': true,
    'dataset upsert': [{ tag: 'urn:li:tag:fragile' }],
    'dataset get': true,
    'dataproduct upsert': [Shop.dataset('b').replace('shop.', 'breadth.')],
    'dataproduct get': true,
    'dataproduct set_description': 'What is broad',
    'dataproduct add_owner': 2,
    'dataproduct add_asset': 2,
    'dataproduct remove_asset': 1,
    'ingest run': true,
    'ingest list-runs': true,
    'ingest show': true,
    'ingest rollback': false,
    'delete by-filter, softly': { removed: true },
    'delete undo-by-filter': { removed: false },
    timeline: true,
    lineage: true,
    graphql: true,
    'search diagnose': true,
  });
});
