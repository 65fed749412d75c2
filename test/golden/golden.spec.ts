import { goldenSet } from './golden-set.js';

goldenSet('SQLite', () => ({}));
