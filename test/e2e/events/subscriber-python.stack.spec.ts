import { it } from '@jest/globals';
import { checkSubscriber } from './subscriber.js';

it('examples/follow.py misses nothing over a kill', () => checkSubscriber('python3', 'follow.py'));
