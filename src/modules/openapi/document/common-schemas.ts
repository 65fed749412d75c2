import { ERROR_SCHEMAS } from '../../../http/error.schemas.js';
import { METADATA_SCHEMAS, PATCH_SCHEMAS } from '../../ingest/index.js';
import { REQUEST_SCHEMAS } from '../request/request.schemas.js';

/** Schemas that do not come from the model, by name: each stands beside what reads or makes its values. */
export const COMMON_SCHEMAS = { ...ERROR_SCHEMAS, ...METADATA_SCHEMAS, ...PATCH_SCHEMAS, ...REQUEST_SCHEMAS };

export type CommonSchema = keyof typeof COMMON_SCHEMAS;
