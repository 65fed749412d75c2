import { isDeepStrictEqual } from 'node:util';
import { send } from './load.mjs';
import { until } from './wait.mjs';

const CATCH_UP_MS = 120_000;
const AT_ONCE = 8;

/** Everything that is not as it was acknowledged, in words; an empty list is what everybody hopes for. */
export async function findings(services, load) {
  const found = [];
  await until(() => services.caughtUp(load), CATCH_UP_MS, 'the consumers to catch up');
  if (load.numbers.wrong !== undefined) found.push(load.numbers.wrong);
  const left = [...load.expected];
  await accepted(services.apis[0].url, left);
  await until(() => services.caughtUp(load), CATCH_UP_MS, 'the consumers to catch up with accepted writes');
  await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, i) => {
      const { url } = services.apis[i % services.apis.length];
      for (let next = left.pop(); next !== undefined; next = left.pop()) {
        found.push(
          ...(await inStore(url, ...next)),
          ...(await inHistory(url, ...next)),
          ...(await inIndex(url, ...next)),
        );
      }
    }),
  );
  found.push(...(await compared(services.apis[0].url)));
  return found;
}

/** Waits for the writes that were accepted to be carried out, in so far as they come in time. */
async function accepted(url, expected) {
  for (const [urn] of expected.filter(([urn]) => urn.includes('later'))) {
    const there = async () => (await read(url, urn, 'datasetProperties')).status === 200;
    await until(there, CATCH_UP_MS, `the accepted write of ${urn}`);
  }
}

function read(url, urn, aspects) {
  return send(url, 'GET', `/entitiesV2/${encodeURIComponent(urn)}?aspects=List(${aspects})`);
}

async function inStore(url, urn, expected) {
  const { status, text } = await read(url, urn, 'datasetProperties,editableDatasetProperties');
  if (expected === undefined) {
    return status === 404 ? [] : [`${urn} was deleted, and the store has it (${status})`];
  }
  if (status !== 200) return [`${urn} is not in the store: ${status}`];
  const { datasetProperties, editableDatasetProperties } = JSON.parse(text).aspects;
  const value = datasetProperties?.value;
  const same =
    value?.name === expected.name &&
    isDeepStrictEqual(value.customProperties, expected.properties) &&
    editableDatasetProperties?.value.description === expected.description;
  if (same) return [];
  const stands = JSON.stringify({ value, editable: editableDatasetProperties?.value });
  return [`${urn} in the store is ${stands}, acknowledged was ${JSON.stringify(expected)}`];
}

/** What was acknowledged with a version can be read at it. */
async function inHistory(url, urn, expected) {
  const found = [];
  for (const [version, { name, properties }] of [...(expected?.versions ?? [])].slice(-3)) {
    const path = `/openapi/v3/entity/dataset/${encodeURIComponent(urn)}/datasetProperties?version=${version}`;
    const { status, text } = await send(url, 'GET', path);
    const value = status === 200 ? JSON.parse(text).datasetProperties?.value : undefined;
    if (value?.name !== name || !isDeepStrictEqual(value.customProperties, properties)) {
      found.push(
        `${urn} at version ${version} is ${status} ${text}, acknowledged was ${name} ${JSON.stringify(properties)}`,
      );
    }
  }
  return found;
}

/** Each write gave a name that no other has, so the index has the newest one or it has not. */
async function inIndex(url, urn, expected) {
  if (expected === undefined) return [];
  const request = { entity: 'dataset', input: expected.name, start: 0, count: 10 };
  const { status, text } = await send(url, 'POST', '/entities?action=search', request);
  if (status !== 200) return [`the search for ${expected.name} was answered ${status}: ${text}`];
  const { entities } = JSON.parse(text).value;
  return entities.includes(urn) ? [] : [`${urn} is not found by its name ${expected.name}`];
}

/** Says what else differs, left-overs of what was deleted among it. */
async function compared(url) {
  const { status, text } = await send(url, 'POST', '/operations?action=verify', { repair: false, limit: 20 });
  if (status !== 200) return [`store and index could not be compared: ${status} ${text}`];
  const { remaining, differences } = JSON.parse(text).value;
  return remaining === 0 ? [] : [`store and index differ: ${JSON.stringify(differences)}`];
}
