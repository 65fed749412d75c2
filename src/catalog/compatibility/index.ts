export { compatibilityWith, RULES, type Compatibility, type Followed, type Rule } from './rules.js';
