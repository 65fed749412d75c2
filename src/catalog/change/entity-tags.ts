import { refuse } from '../errors/index.js';

const TAG = /[ \t]*(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*(?:,|$)/y;

/**
 * Reads `*` or a list of entity tags, which may hold commas. Weak tags say nothing about the bytes, so they match
 * nothing.
 */
export function readTags(name: string, text: string, pointer: string): '*' | string[] {
  if (text.trim() === '*') return '*';
  const tags: string[] = [];
  const end = text.trimEnd();
  for (let at = 0; at < end.length || tags.length === 0; at = TAG.lastIndex) {
    TAG.lastIndex = at;
    const [, weak, tag] = TAG.exec(end) ?? [];
    if (tag === undefined || (TAG.lastIndex === end.length && end.endsWith(',')))
      throw refuse('PARAMETER_INVALID', `${name} must be * or quoted entity tags, not "${text}"`, pointer);
    tags.push(weak === undefined ? tag : `W/${tag}`);
  }
  return tags;
}
