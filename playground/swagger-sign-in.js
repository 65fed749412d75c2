/* global document */
// A button beside Swagger UI that signs a person in, where an identity provider is configured.
import { begin, finish, reasonOf, signInSettings } from './sign-in.js';

async function offer(settings, ui) {
  const bar = document.createElement('div');
  bar.style.cssText = 'padding: 8px 20px; text-align: right; font: 14px sans-serif';
  const said = document.createElement('span');
  said.setAttribute('role', 'status');
  said.style.marginRight = '12px';
  const button = document.createElement('button');
  button.textContent = 'Sign in';
  button.style.cssText = 'font: inherit; padding: 4px 12px';
  bar.append(said, button);
  const complain = (error) => (said.textContent = `Signing in failed: ${reasonOf(error)}`);
  button.addEventListener('click', () => begin(settings).catch(complain));
  document.body.prepend(bar);
  try {
    const token = await finish(settings);
    if (token === undefined) return;
    const bearer = { name: 'bearer', schema: { type: 'http', scheme: 'bearer' }, value: token };
    (await ui).authActions.authorizeWithPersistOption({ bearer });
    said.textContent = 'Signed in';
  } catch (error) {
    complain(error);
  }
}

/**
 * @param base address of the service
 * @param ui resolves to the library
 */
export async function offerSignIn(base, ui) {
  const settings = await signInSettings(base);
  if (settings) await offer(settings, ui);
}
