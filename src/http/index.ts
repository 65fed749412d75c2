export { createApplication, type HttpConfiguration } from './create-application.js';
export { createLogger, FrameworkLogger } from './logging.js';
export { surfaceOf } from './surface.js';
