/* global document, location, MutationObserver, window */
// What the page of Swagger UI does beyond the library: names for its lists, a word on a token that is refused, a sign-in.
import { offerSignIn } from './swagger-sign-in.js';

const base = new URL(location.pathname.replace(/openapi\/swagger-ui\/?$/, ''), location.origin);

// The lists of documents and of servers are drawn without a label, the latter anew with each document.
new MutationObserver(() => {
  document.getElementById('select')?.setAttribute('aria-label', 'API document');
  document.getElementById('servers')?.setAttribute('aria-label', 'Server');
}).observe(document, { childList: true, subtree: true });

/** The library is there once the script of the page has run. */
const ui = new Promise((resolve) => {
  if (document.readyState === 'complete') resolve();
  // Behind the script of the page, which runs at the same event.
  else window.addEventListener('load', () => setTimeout(resolve));
}).then(() => window.ui);

const said = document.createElement('p');
said.setAttribute('role', 'alert');
said.style.cssText = 'margin: 0; padding: 8px 20px; font: 14px sans-serif; background: #fff; color: #a4142a';

/** Where people look: in the dialog of the token, or above the page. */
function say(text) {
  said.textContent = text;
  (document.querySelector('.modal-ux-content') ?? document.body).prepend(said);
}

/** Asks the service whether it takes the token. A wrong one is taken back, and said: not first by the call that needs it. */
async function check(token, { authActions }) {
  const authorization = `Bearer ${token.replace(/^Bearer\s+/i, '')}`;
  const address = new URL('openapi/v3/entity/tag?count=1', base);
  const response = await fetch(address, { headers: { authorization } });
  if (response.status !== 401) return;
  const { message = 'the access token is not valid' } = await response.json().catch(() => ({}));
  authActions.logoutWithPersistOption(['bearer']);
  say(`Refused: ${message}`);
}

/** Looks at each token that is given or was kept. */
function watchToken(library) {
  let known;
  const look = () => {
    const token = library.authSelectors.authorized()?.getIn(['bearer', 'value']);
    if (token === known) return;
    known = token;
    if (token === undefined) return;
    said.remove();
    // Whether the service can be reached is said by the page itself.
    check(token, library).catch(() => undefined);
  };
  library.getStore().subscribe(look);
  look();
}

ui.then(watchToken);
offerSignIn(base, ui);
