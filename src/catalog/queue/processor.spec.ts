import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import * as bull from '@nestjs/bull';
import { handlerOf, Process, Processor, type Job } from './index.js';

@Processor('removal')
class Ours {
  readonly seen: string[] = [];

  get first(): string {
    throw new Error('a getter is not asked');
  }

  helper(): void {}

  @Process()
  async run({ id }: Job): Promise<void> {
    this.seen.push(id);
  }
}

@bull.Processor('removal')
class Theirs {
  @bull.Process()
  async run(): Promise<void> {}
}

@Processor('idle')
class Idle {}

describe('a processor', () => {
  const methodOf = (type: { prototype: object }) =>
    Object.getOwnPropertyDescriptor(type.prototype, 'run')?.value as object;
  const metadata = (target: object) => {
    const keys = Reflect.getMetadataKeys(target) as string[];
    return Object.fromEntries(
      keys.filter((key) => key.startsWith('bull:')).map((key) => [key, Reflect.getMetadata(key, target)]),
    );
  };

  it('carries what the explorer of @nestjs/bull looks for', () => {
    expect(metadata(Ours)).toEqual(metadata(Theirs));
    expect(metadata(methodOf(Ours))).toEqual(metadata(methodOf(Theirs)));
    expect(Object.keys(metadata(Ours))).toHaveLength(1);
    expect(Object.keys(metadata(methodOf(Ours)))).toHaveLength(1);
  });

  it('is found with its queue and its method, bound', async () => {
    const ours = new Ours();
    const { queue, handler } = handlerOf(ours)!;
    await handler({ id: 'a', payload: {}, attempt: 1 });
    expect([queue, ours.seen]).toEqual(['removal', ['a']]);
  });

  it('is nothing else, and has a method', () => {
    for (const other of [undefined, null, 'text', {}, Object.create(null) as object, new Date()])
      expect(handlerOf(other)).toBeUndefined();
    expect(() => handlerOf(new Idle())).toThrow('Idle has no method with @Process');
  });
});
