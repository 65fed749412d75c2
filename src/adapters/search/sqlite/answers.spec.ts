import { describe, expect, it } from '@jest/globals';
import { Answers } from './answers.js';

const LONG = 'x'.repeat(100_000);

describe('answers', () => {
  it('are kept as long as nothing is written', () => {
    const answers = new Answers().at(1);
    const key = answers.keyOf('search', { start: 0 });
    answers.keep(key, 'found');
    expect(answers.at(1).get(key)).toBe('found');
    expect(answers.get(answers.keyOf('search', { start: 10 }))).toBeUndefined();
    expect(answers.at(2).get(key)).toBeUndefined();
    expect(answers.at(1).get(key)).toBeUndefined();
  });

  it('give way to others, those used longest ago first', () => {
    const answers = new Answers().at(1);
    for (let i = 0; i < 30; i++) {
      answers.get('0');
      answers.keep(String(i), LONG);
    }
    expect(answers.get('0')).toBe(LONG);
    expect(answers.get('29')).toBe(LONG);
    expect(answers.get('1')).toBeUndefined();
  });

  it('are not kept for requests that are long themselves, nor when they are too long', () => {
    const answers = new Answers().at(1);
    expect(answers.keyOf('search', { input: LONG })).toBeUndefined();
    answers.keep(undefined, 'found');
    expect(answers.get(undefined)).toBeUndefined();
    answers.keep('key', LONG + LONG);
    expect(answers.get('key')).toBeUndefined();
  });
});
