import { lastIngestedOf } from '../graphql/index.js';
import { Dataset } from './dataset.types.js';

export const LastIngestedOfDatasets = lastIngestedOf(Dataset);
