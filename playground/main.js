/* global document, localStorage, location, Worker */
import { GraphiQL } from 'graphiql';
import { useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { createElement as h, useEffect, useMemo, useState } from 'react';
import { createRoot } from 'react-dom/client';
import 'graphiql/style.css';
import './page.css';
import { EXAMPLES } from './examples.js';
import { readSchema } from './schema.js';
import { begin, finish, reasonOf, signInSettings } from './sign-in.js';

const WORKERS = { json: 'json.worker.js', graphql: 'graphql.worker.js' };
globalThis.MonacoEnvironment = {
  getWorker: (_id, label) =>
    new Worker(new URL(WORKERS[label] ?? 'editor.worker.js', import.meta.url), { type: 'module' }),
};

/** Where the browser keeps the token. */
const TOKEN_KEY = 'metadata-catalog:token';
const BASE = location.href.replace(/\/graphiql\/?([?#].*)?$/, '/');
const ENDPOINT = new URL('api/graphql', BASE);

const NO_TOKEN = { errors: [{ message: 'Paste an access token at the top of the page first.' }] };

async function ask(token, operation) {
  const response = await fetch(ENDPOINT, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(operation),
  });
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return { status: response.status, text };
  }
}

/** What the service says of a token: whose it is, or why it is refused. */
async function judge(token) {
  if (token === '') return { text: 'No token yet', accepted: false, schema: null };
  const { data, errors, message, text } = await ask(token, { query: '{ me { corpUser { username } } }' });
  const user = data?.me?.corpUser?.username;
  if (user !== undefined) {
    const schema = await readSchema((operation) => ask(token, operation));
    return { text: `Signed in as ${user}. Kept in this browser`, accepted: true, schema };
  }
  return { text: `Refused: ${errors?.[0]?.message ?? message ?? text}`, accepted: false, schema: null };
}

function ExamplesIcon() {
  return h(
    'svg',
    { viewBox: '0 0 24 24', fill: 'none', stroke: 'currentColor', strokeWidth: 1.5, height: '1em' },
    h('path', { d: 'M4 5h16M4 12h10M4 19h13' }),
  );
}

function Examples() {
  const { addTab } = useGraphiQLActions();
  const queryEditor = useGraphiQL((state) => state.queryEditor);
  const variableEditor = useGraphiQL((state) => state.variableEditor);
  const show = (example) => {
    addTab();
    // The editors belong to the new tab once it is shown.
    setTimeout(() => {
      queryEditor?.setValue(example.query);
      variableEditor?.setValue(example.variables ? JSON.stringify(example.variables, null, 2) : '');
    }, 0);
  };
  const groups = [...new Set(EXAMPLES.map(({ group }) => group))];
  return h(
    'section',
    { className: 'examples', 'aria-label': 'Examples' },
    h('h2', null, 'Examples'),
    groups.map((group) =>
      h(
        'div',
        { key: group },
        h('h3', null, group),
        EXAMPLES.filter((example) => example.group === group).map((example) =>
          h('button', { key: example.title, type: 'button', onClick: () => show(example) }, example.title),
        ),
      ),
    ),
  );
}

const PLUGIN = { title: 'Examples', icon: ExamplesIcon, content: Examples };

function Page() {
  const [token, setToken] = useState(() => localStorage.getItem(TOKEN_KEY) ?? '');
  const [typed, setTyped] = useState(token);
  const [verdict, setVerdict] = useState({ text: '', accepted: false });
  const [signIn, setSignIn] = useState();
  const [failure, setFailure] = useState();
  const known = verdict.token === token;
  useEffect(() => {
    let current = true;
    judge(token).then(
      (judged) => current && setVerdict({ ...judged, token }),
      (error) =>
        current && setVerdict({ text: `No answer: ${error.message}`, accepted: false, schema: null, token }),
    );
    return () => {
      current = false;
    };
  }, [token]);
  const fetcher = useMemo(
    () => async (operation) => (verdict.accepted ? ask(token, operation) : NO_TOKEN),
    [token, verdict.accepted],
  );
  const use = (value) => {
    setFailure(undefined);
    if (value === '') localStorage.removeItem(TOKEN_KEY);
    else localStorage.setItem(TOKEN_KEY, value);
    setTyped(value);
    setToken(value);
  };
  const keep = (event) => {
    event.preventDefault();
    use(typed.trim().replace(/^Bearer\s+/i, ''));
  };
  const complain = (error) => setFailure(`Signing in failed: ${reasonOf(error)}`);
  useEffect(() => {
    signInSettings(BASE)
      .then(async (settings) => {
        if (settings === undefined) return;
        setSignIn(settings);
        const given = await finish(settings);
        if (given !== undefined) use(given);
      })
      .catch(complain);
  }, []);
  return h(
    'div',
    { style: { display: 'contents' } },
    h(
      'form',
      { className: 'token-bar graphiql-container', onSubmit: keep, style: { height: 'auto' } },
      h('strong', null, 'Metadata catalog'),
      h('label', { htmlFor: 'token' }, 'Access token'),
      h('input', {
        id: 'token',
        type: 'password',
        autoComplete: 'off',
        value: typed,
        onChange: (event) => setTyped(event.target.value),
      }),
      h('button', { type: 'submit', className: 'graphiql-button' }, 'Use'),
      signIn &&
        h(
          'button',
          { type: 'button', className: 'graphiql-button', onClick: () => begin(signIn).catch(complain) },
          'Sign in',
        ),
      h(
        'span',
        { className: 'said', role: 'status' },
        failure ?? (known ? verdict.text : 'Checking the token…'),
      ),
    ),
    h(
      'div',
      { className: 'graphiql-place', role: 'main' },
      // Another token may see another schema: the page starts anew with it.
      known &&
        h(GraphiQL, {
          key: token,
          fetcher,
          schema: verdict.schema,
          plugins: [PLUGIN],
          inputValueDeprecation: true,
          shouldPersistHeaders: false,
          isHeadersEditorEnabled: false,
          defaultEditorToolsVisibility: 'variables',
          defaultQuery: EXAMPLES[0].query,
        }),
    ),
  );
}

createRoot(document.getElementById('page')).render(h(Page));
