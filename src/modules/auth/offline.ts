export { exportedTokens, tokensMark } from './exported-tokens.query.js';
