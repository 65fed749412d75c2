export { createApplication } from './create-application.js';
export { standardOutput } from './log-destination.js';
export { createLogger } from './logging.js';
