import { builtInFacts, factsOf, type ModelFacts } from '../catalog/model/model-facts.js';
import type { Configuration } from '../config/configuration.js';

/** Facts of the model of this configuration; a model without files of the user is not built for them. @throws ModelError */
export async function loadModelFacts(configuration: Configuration): Promise<ModelFacts> {
  const known = configuration.models === undefined ? builtInFacts() : undefined;
  if (known !== undefined) return known;
  const { loadModel } = await import('./load-model.js');
  return factsOf(loadModel(configuration));
}
