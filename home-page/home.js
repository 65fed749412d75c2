/* global document, localStorage, location, addEventListener */
import { typeText } from '../web/src/words.ts';

/** Where the browser keeps the token; the playground keeps it there too. */
const TOKEN_KEY = 'metadata-catalog:token';
/** Made by the service itself, at its first start. */
const OWN_TYPES = ['entityType', 'dataType'];
/** Types with the most entities, which are shown at once. */
const TYPES = 10;
/** Runs that are shown. */
const SHOWN = 8;
/** While the index is behind it is looked at again after so many milliseconds. */
const AGAIN_MS = 2_000;

const place = (id) => document.getElementById(id);
const numbers = new Intl.NumberFormat('en');
const ago = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** The service refused a request. */
class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function ask(path, body) {
  const response = await fetch(new URL(path, location.href), {
    method: body ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${localStorage.getItem(TOKEN_KEY)}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = await response.json().catch(() => ({}));
  // Also an unhealthy service says how it is.
  if (!response.ok && path !== 'health')
    throw new Refusal(response.status, answer.message ?? `the service answered ${response.status}`);
  return answer;
}

function element(name, ...content) {
  const made = document.createElement(name);
  made.append(...content);
  return made;
}

function timeOf(milliseconds) {
  const seconds = (milliseconds - Date.now()) / 1000;
  const units = [
    ['day', 86_400],
    ['hour', 3_600],
    ['minute', 60],
    ['second', 1],
  ];
  const [unit, size] = units.find(([, size]) => -seconds >= size) ?? ['second', 1];
  const time = element('time', ago.format(Math.round(Math.min(seconds, 0) / size), unit));
  time.dateTime = new Date(milliseconds).toISOString();
  return time;
}

const termsOf = (counts) =>
  counts.flatMap(([type, count]) => [element('dt', typeText(type)), element('dd', numbers.format(count))]);

/** Why a search, `verify` and this page count differently. */
function explainCounts(shown, counts, found) {
  const sum = (of) => counts.reduce((total, one) => total + of(one), 0);
  const removed = sum(({ softDeletedCount }) => softDeletedCount);
  const all = sum(({ activeCount }) => activeCount) + removed;
  const n = (number) => numbers.format(number);
  const searched = `A search for everything finds ${n(found)}: other types, such as policies and platforms, are found when they are asked for. `;
  place('why').textContent =
    `${found === undefined ? '' : searched}` +
    `Beyond these the catalog has ${n(removed)} removed entities and ${n(all - removed - shown)} ` +
    `that describe its types; verify compares all ${n(all)}.`;
}

function showCounts(counts, searched) {
  const found = counts
    .map(({ entityType, activeCount }) => [entityType, activeCount])
    .filter(([type, count]) => count > 0 && !OWN_TYPES.includes(type))
    .sort(([, a], [, b]) => b - a);
  const shown = found.reduce((sum, [, count]) => sum + count, 0);
  place('total').textContent = numbers.format(shown);
  explainCounts(shown, counts, searched);
  const rest = found.splice(TYPES);
  place('counts').replaceChildren(...termsOf(found));
  place('more').hidden = rest.length === 0;
  place('more').querySelector('summary').textContent = `${rest.length} more types`;
  place('more')
    .querySelector('dl')
    .replaceChildren(...termsOf(rest));
  place('next').hidden = found.length > 0;
  place('content').hidden = found.length === 0;
}

/** @returns whether the index is behind */
function showIndex({ parts = [] }) {
  const [search, consumers] = ['search', 'consumers'].map((name) => parts.find((part) => part.name === name));
  const { behind = [], unpublished } = consumers?.details ?? {};
  const lags = [unpublished, behind.find(({ consumer }) => consumer === 'search-index')].filter(Boolean);
  const behindBy = lags.reduce((sum, { changes }) => sum + changes, 0);
  const seconds = Math.max(0, ...lags.map((lag) => lag.seconds));
  const down = parts.filter(({ status }) => status === 'DOWN').map(({ name }) => name);
  const index =
    search?.status === 'DOWN'
      ? 'Search does not answer.'
      : behindBy > 0
        ? `The search index is ${numbers.format(behindBy)} changes (${numbers.format(seconds)} s) behind the catalog.`
        : 'The search index has all changes.';
  const trouble = down.length > 0 ? ` Not available: ${down.join(', ')}.` : '';
  place('index').textContent = index + trouble;
  return behindBy > 0;
}

/** How many entities a search without a type finds; undefined while searches do not answer. */
async function countSearched() {
  const everything = { input: '*', start: 0, count: 0, searchFlags: { skipAggregates: true } };
  const { value } = await ask('entities?action=searchAcrossEntities', everything).catch(() => ({}));
  return value?.numEntities;
}

/** What wrote last: runs of ingestion, and all writes that belong to none, as one. */
async function showRuns() {
  const { value: runs } = await ask('runs?action=list', { pageSize: SHOWN });
  place('runs').replaceChildren(
    ...runs.map(({ runId, rows, timestamp }) =>
      element(
        'li',
        runId === 'no-run-id-provided' ? 'Writes without a run id' : runId,
        `: ${numbers.format(rows)} aspects`,
        timeOf(timestamp),
      ),
    ),
  );
}

let again;

async function show() {
  const token = localStorage.getItem(TOKEN_KEY);
  const signedIn = token !== null;
  clearTimeout(again);
  place('sign-in').hidden = signedIn;
  place('signed-in').hidden = !signedIn;
  if (!signedIn) {
    place('state').hidden = place('next').hidden = true;
    return;
  }
  // Who signed out meanwhile, or signed in with another token, waits for no answer to this one.
  const isOver = () => localStorage.getItem(TOKEN_KEY) !== token;
  try {
    const [{ counts }, health, searched] = await Promise.all([
      ask('openapi/v1/entities/counts'),
      ask('health'),
      countSearched(),
      showRuns(),
    ]);
    if (isOver()) return;
    showCounts(counts, searched);
    clearTimeout(again);
    if (showIndex(health)) again = setTimeout(() => void show(), AGAIN_MS);
    place('state').hidden = false;
    place('said').textContent = '';
  } catch (error) {
    if (isOver()) return;
    place('state').hidden = place('next').hidden = true;
    if (error.status === 401) {
      localStorage.removeItem(TOKEN_KEY);
      place('sign-in').hidden = false;
      place('signed-in').hidden = true;
    }
    place('said').textContent = `Refused: ${error.message}`;
    clearTimeout(again);
    // A busy or restarting service answers later.
    if (!(error.status < 500)) again = setTimeout(() => void show(), AGAIN_MS);
  }
}

place('sign-in').addEventListener('submit', (event) => {
  event.preventDefault();
  // People copy the whole header.
  const token = place('token')
    .value.trim()
    .replace(/^Bearer\s+/i, '');
  if (token === '') return;
  place('token').value = '';
  localStorage.setItem(TOKEN_KEY, token);
  void show();
});
place('sign-out').addEventListener('click', () => {
  localStorage.removeItem(TOKEN_KEY);
  void show();
});
// What was imported in a terminal meanwhile is there when the reader comes back.
addEventListener('focus', () => void show());
void show();
