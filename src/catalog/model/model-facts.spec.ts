import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { factsOf, Model, modelDigest, type ModelFacts } from './index.js';

describe('the facts of a model', () => {
  const model = Model.load();

  it('name its digest, its secret aspects and the keys of its entities', () => {
    const { digest, secrets, keys } = factsOf(model);
    expect(digest).toBe(modelDigest(model));
    expect(secrets).toEqual(['corpUserCredentials', 'dataHubAccessTokenInfo', 'dataHubSecretValue']);
    expect(Object.keys(keys)).toEqual([...model.entities.keys()]);
    expect(keys['dataset']).toBe('datasetKey');
  });

  it('are those that the build has written', () => {
    const file = new URL('../../../dist/catalog/model/model-facts.json', import.meta.url);
    expect(JSON.parse(readFileSync(file, 'utf8')) as ModelFacts).toEqual(factsOf(model));
  });
});
