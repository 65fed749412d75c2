import type { ElasticClient } from './elastic-client.js';
import type { IndexNames } from './index-layout.js';

/** What of the index is there, in the cluster. */
export interface AliasCheck {
  aliases: ReadonlySet<string>;
  /** The highest generation of all indices, 0 when there are none. */
  newest: number;
}

export async function checkAliases(client: ElasticClient, names: IndexNames): Promise<AliasCheck> {
  const [live, all] = await Promise.all([
    aliasesLike(client, names.everything),
    client.find<object>({ method: 'GET', path: `/${names.allIndices}/_alias` }),
  ]);
  const generations = Object.keys(all ?? {}).map((index) => names.generationOf(index));
  return {
    aliases: new Set(live.flatMap(([, aliases]) => aliases)),
    newest: Math.max(0, ...generations.filter((number) => !Number.isNaN(number))),
  };
}

/** The indices behind the aliases of a pattern, with those aliases. */
export async function aliasesLike(
  client: ElasticClient,
  pattern: string,
): Promise<Array<[index: string, aliases: string[]]>> {
  const found = await client.find<Record<string, { aliases: object }>>({
    method: 'GET',
    path: `/_alias/${pattern}`,
  });
  return Object.entries(found ?? {}).map(([index, { aliases }]) => [index, Object.keys(aliases)]);
}
