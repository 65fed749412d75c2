import { systemUpdateConformance } from './system-update.conformance.js';

systemUpdateConformance('SQLite', () => ({}));
