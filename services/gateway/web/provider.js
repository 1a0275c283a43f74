// Signing in with an identity provider: the button, and the reasons for a failed sign-in.
import { call, element, show } from './page.js';

/** Shows the button if this instance has a provider. Hides it if the request fails: passwords work anyway. */
export const showProvider = async () => {
  const provider = await call('GET', '/provider').catch(() => null);
  element('provider-link').textContent = provider?.label ?? '';
  show('provider', provider !== null);
};

const ASK = 'Ask an owner or admin of this instance.';

const REFUSALS = {
  unavailable: 'The identity provider cannot be reached. Try again later, or sign in with your password.',
  busy: 'Sign-in is not available right now. Try again in a moment.',
  expired: 'This sign-in has expired or was started in another browser. Try again.',
  declined: 'The sign-in was cancelled at the identity provider.',
  failed: `The identity provider sent an invalid response. ${ASK}`,
  'email-not-verified': 'The identity provider has not verified your email. Verify it there and try again.',
  'unknown-user': `There is no user with your email. ${ASK}`,
  'no-role': `None of your groups gives you a role. ${ASK}`,
  locked: `Your user is locked. ${ASK}`,
  'other-identity': `The user with your email belongs to another account of the identity provider. ${ASK}`,
};

/** The reason why the provider sign-in was refused, from the address; undefined if it was not. */
export const refusalText = () => {
  const [, refusal] = /^#refused=([a-z-]{1,50})$/.exec(location.hash) ?? [];
  if (refusal === undefined) return undefined;
  return Object.hasOwn(REFUSALS, refusal) ? REFUSALS[refusal] : REFUSALS.failed;
};
