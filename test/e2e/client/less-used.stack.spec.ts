import { afterAll, beforeAll, describe } from '@jest/globals';
import { Shop } from './shop.js';
import { stepsOf } from './steps.js';

/** Resolving a domain by its name takes the hits of searches as objects. */
describe("less used parts of the field's SDK, command line and recipes, with CATALOG_COMPATIBILITY=reference", () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await Shop.open({ CATALOG_COMPATIBILITY: 'reference' });
  });
  afterAll(() => shop?.close());

  stepsOf(() => shop.client, 'less_used.py', {
    'each filter of the search client': {
      type: ['A', 'b', 'c'],
      'other types': ['board', 'chart', 'database'],
      subtype: ['A', 'b'],
      deleted: ['gone'],
      domain: ['c'],
      container: ['A'],
      'in the container': ['A'],
      environment: ['A', 'database'],
      owner: ['A', 'b'],
      term: ['A'],
      tag: ['A'],
      'not the tag': ['b', 'c', 'database'],
      property: ['A'],
      everything: ['c'],
      nothing: [],
      'below the domain': ['A', 'c'],
      'above the domain': ['A', 'c'],
      'any case': ['A'],
    },
    'entities of every stage of their life': ['A', 'b'],
    'names are resolved': [
      'urn:li:corpuser:una',
      'urn:li:corpuser:una',
      'urn:li:corpuser:una',
      'urn:li:glossaryTerm:rare',
      'urn:li:domain:whole',
    ],
    'lineage within a filter': [['board', 2]],
    'lineage is added by names of columns': [['SCHEMA_FIELD', 1, ['c', 'A']]],
    'an assertion of columns, reported in each way': ['select 1', ['INIT', 'SUCCESS', 'FAILURE', 'ERROR']],
    'a document is published, hidden and shown again': [
      ['UNPUBLISHED', true],
      ['UNPUBLISHED', false],
      ['PUBLISHED', false],
      ['PUBLISHED', true],
    ],
    'a model, its group and version': [true, '1', ['champion'], '0.1'],
    'agents, their skills and tools': [[false, true], ['urn:li:aiAgent:agent_10.0']],
    'container tag, term, owner and domain reach what is inside': [
      'urn:li:tag:rare',
      'urn:li:glossaryTerm:rare',
      'urn:li:corpuser:una',
      'urn:li:domain:whole',
    ],
    'lineage path': true,
    'search where': ['b', 'c'],
    'search for facets alone, and in an order': [true, ['A', 'b', 'inside']],
    'ingest deploy, and again': 'Rarer',
    'ingest mcps': true,
    'migrate urns-mapping': [true, true, true],
    'migrate schema-field-case': [['id', 'kept']],
    'transformers add to what is there': [
      ['urn:li:tag:own', 'urn:li:tag:rare'],
      ['urn:li:corpGroup:unit', 'urn:li:corpuser:una'],
      ['urn:li:domain:part', 'urn:li:domain:whole'],
    ],
    'a data product gets assets from a recipe': ['A', 'c'],
    'csv-enricher, which keeps what is there': [
      ['urn:li:corpGroup:unit', 'urn:li:corpuser:una'],
      'urn:li:tag:rare',
      'a number',
      'urn:li:tag:rare',
    ],
    'a glossary of a file': ['urn:li:glossaryTerm:N.T2'],
    'more is gone than a recipe allows': false,
  });
});
