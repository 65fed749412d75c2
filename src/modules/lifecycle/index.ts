export { deprecationOf, type DeprecationRequest } from './marks/deprecation.js';
