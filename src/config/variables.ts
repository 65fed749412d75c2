import { ACCESS } from './variables/access.js';
import { LIMITS } from './variables/limits.js';
import { METADATA } from './variables/metadata.js';
import { OPERATIONS } from './variables/operations.js';
import { RECORDS } from './variables/records.js';
import { SERVERS } from './variables/servers.js';

/** Every variable that the service reads. The table in the documentation is compared with this one. */
export const VARIABLES = {
  ...SERVERS,
  ...RECORDS,
  ...ACCESS,
  ...METADATA,
  ...LIMITS,
  ...OPERATIONS,
} as const;
