import { Model } from '../catalog/model/index.js';
import type { Configuration } from '../config/configuration.js';

/** The model of this configuration. @throws ModelError naming what does not compile */
export function loadModel({ models, unknownFields }: Configuration): Model {
  return Model.load({ unknownFields, ...(models === undefined ? {} : { userFolder: models }) });
}
