export { deprecationOf } from './marks/deprecation.js';
