export { compatibilityWith, RULES, type Compatibility, type Followed } from './rules.js';
