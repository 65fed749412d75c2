export type { AspectVersion, Head } from './write/head.js';
export { UnitOfWork } from './write/unit-of-work.js';
