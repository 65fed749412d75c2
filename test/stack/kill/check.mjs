import { isDeepStrictEqual } from 'node:util';
import { headers, post } from './load.mjs';
import { until } from './wait.mjs';

const CATCH_UP_MS = 120_000;
const AT_ONCE = 8;

/** Everything that is not as it was acknowledged, in words; an empty list is what everybody hopes for. */
export async function findings(services, load) {
  const found = [];
  await until(() => services.caughtUp(load), CATCH_UP_MS, 'the consumers to catch up');
  if (load.numbers.wrong !== undefined) found.push(load.numbers.wrong);
  const left = [...load.expected];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, i) => {
      const { url } = services.apis[i % services.apis.length];
      for (let next = left.pop(); next !== undefined; next = left.pop()) {
        found.push(...(await inStore(url, ...next)), ...(await inIndex(url, ...next)));
      }
    }),
  );
  found.push(...(await compared(services.apis[0].url)));
  return found;
}

async function inStore(url, urn, expected) {
  const path = `/entitiesV2/${encodeURIComponent(urn)}?aspects=List(datasetProperties)`;
  const response = await fetch(url + path, { headers: headers() });
  if (expected === undefined) {
    return response.status === 404 ? [] : [`${urn} was deleted, and the store has it (${response.status})`];
  }
  if (response.status !== 200) return [`${urn} is not in the store: ${response.status}`];
  const value = (await response.json()).aspects.datasetProperties?.value;
  const same =
    value?.name === expected.name && isDeepStrictEqual(value.customProperties, expected.properties);
  return same
    ? []
    : [`${urn} in the store is ${JSON.stringify(value)}, acknowledged was ${JSON.stringify(expected)}`];
}

/** Each write gave a name that no other has, so the index has the newest one or it has not. */
async function inIndex(url, urn, expected) {
  if (expected === undefined) return [];
  const request = { entity: 'dataset', input: expected.name, start: 0, count: 10 };
  const { status, text } = await post(url, '/entities?action=search', request);
  if (status !== 200) return [`the search for ${expected.name} was answered ${status}: ${text}`];
  const { entities } = JSON.parse(text).value;
  return entities.includes(urn) ? [] : [`${urn} is not found by its name ${expected.name}`];
}

/** Says what else differs, left-overs of what was deleted among it. */
async function compared(url) {
  const { status, text } = await post(url, '/operations?action=verify', { repair: false, limit: 20 });
  if (status !== 200) return [`store and index could not be compared: ${status} ${text}`];
  const { remaining, differences } = JSON.parse(text).value;
  return remaining === 0 ? [] : [`store and index differ: ${JSON.stringify(differences)}`];
}
