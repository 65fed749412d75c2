import { it } from '@jest/globals';
import { checkSubscriber } from './subscriber.js';

it('examples/follow.ts misses nothing over a kill', () => checkSubscriber(process.execPath, 'follow.ts'));
