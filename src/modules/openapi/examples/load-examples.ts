import type { Model } from '../../../catalog/model/index.js';
import type { ExampleSource } from '../../../catalog/route/index.js';
import { Examples } from './examples.js';
import { readSample } from './sample.js';

/** The examples of a model, for the listing of endpoints. */
export const loadExamples = async (model: Model): Promise<ExampleSource> =>
  new Examples(model, await readSample());
