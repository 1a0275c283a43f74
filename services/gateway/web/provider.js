// Signing in with an identity provider: its button, and why it has not worked.
import { call, element, show } from './page.js';

/** Shows the button if this instance has a provider. Without an answer there is none: passwords work all the same. */
export const showProvider = async () => {
  const provider = await call('GET', '/provider').catch(() => null);
  element('provider-link').textContent = provider?.label ?? '';
  show('provider', provider !== null);
};

const ASK = 'Ask an owner or admin of this instance.';

const REFUSALS = {
  unavailable: 'The identity provider cannot be reached. Try again later, or sign in with your password.',
  busy: 'You cannot be signed in right now. Try again in a moment.',
  expired: 'This sign-in has expired or was begun in another browser. Try again.',
  declined: 'You have not let the identity provider sign you in.',
  failed: `The identity provider's answer could not be used. ${ASK}`,
  'email-not-verified': 'The identity provider has not verified your email. Verify it there, and try again.',
  'unknown-user': `There is no user with your email. ${ASK}`,
  'no-role': `None of your groups gives you a role. ${ASK}`,
  locked: `Your user is locked. ${ASK}`,
  'other-identity': `The user with your email belongs to another account of the identity provider. ${ASK}`,
};

/** Why the sign-in was refused, from which the browser just came back; undefined if it was not. */
export const refusalText = () => {
  const [, refusal] = /^#refused=([a-z-]{1,50})$/.exec(location.hash) ?? [];
  if (refusal === undefined) return undefined;
  return Object.hasOwn(REFUSALS, refusal) ? REFUSALS[refusal] : REFUSALS.failed;
};
