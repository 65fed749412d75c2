export { createApplication, type HttpConfiguration } from './create-application.js';
export { standardOutput } from './log-destination.js';
export { createLogger, FrameworkLogger } from './logging.js';
export { surfaceOf } from './surface.js';
