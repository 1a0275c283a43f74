// The settings page: setting up the first owner, accepting an invitation, signing in and out.
import { showAudit } from './audit.js';
import { showCredentials } from './credentials.js';
import { hideNewKey, showKeys } from './keys.js';
import { act, alertUser, call, confirmThen, element, say, show, whenSessionEnds } from './page.js';
import { showProjects } from './projects.js';
import { refusalText, showProvider } from './provider.js';
import { emailOf, hideInvitation, showUsers } from './users.js';

const VIEWS = ['set-up-view', 'sign-in-view', 'invitation-view', 'keys-view'];

/** Shows one view and hides the others. */
const showView = (id) => {
  for (const view of VIEWS) show(view, view === id);
  show('account', id === 'keys-view');
};

const showSetUp = () => {
  showView('set-up-view');
  element('set-up-code').focus();
};

const showSignIn = () => {
  hideNewKey();
  hideInvitation();
  showView('sign-in-view');
  element('email').focus();
  void showProvider();
};

/** @param text status message; shown before the lists load, so that it does not replace a later one */
const showSettings = async (person, text) => {
  element('who-email').textContent = person.email;
  element('who-role').textContent = person.role;
  const view = element('keys-view');
  view.ariaBusy = 'true';
  showView('keys-view');
  if (text !== undefined) {
    say(text);
    element('key-name').focus();
  }
  try {
    await showKeys(person);
    const isManager = await showUsers(person);
    await showProjects(person);
    await showCredentials(person, emailOf);
    show('audit-section', isManager);
    if (isManager) await showAudit(emailOf);
  } finally {
    view.ariaBusy = 'false';
  }
};

whenSessionEnds(showSignIn);

element('sign-in-form').addEventListener('submit', (event) => {
  event.preventDefault();
  void act(element('sign-in'), async () => {
    const person = await call('POST', '/session', {
      email: element('email').value,
      password: element('password').value,
    });
    element('password').value = '';
    await showSettings(person, 'You are signed in.');
  });
});

/** Reports differing passwords as a validity error, which the browser shows next to the field. */
const comparePasswords = (first, second) => {
  const compare = () => {
    const isSame = element(second).value === element(first).value;
    element(second).setCustomValidity(isSame ? '' : 'The two passwords differ.');
  };
  for (const id of [first, second]) element(id).addEventListener('input', compare);
};
comparePasswords('set-up-password', 'set-up-repeat');
comparePasswords('invited-password', 'invited-repeat');

const setUp = async () => {
  const params = {
    setupCode: element('set-up-code').value,
    email: element('set-up-email').value,
    password: element('set-up-password').value,
  };
  let person;
  try {
    person = await call('POST', '/setup', params);
  } catch (error) {
    // Another caller has created the owner meanwhile.
    if (error.status === 409) showSignIn();
    throw error;
  }
  element('set-up-form').reset();
  await showSettings(person, 'The owner was created, and you are signed in.');
};

element('set-up-form').addEventListener('submit', (event) => {
  event.preventDefault();
  void act(element('set-up'), setUp);
});

/** The token in the link's fragment, which browsers never send, so that no server and no log contains it. */
const invitationToken = () => /^#invitation=([\w-]{1,100})$/.exec(location.hash)?.[1];

const forgetFragment = () => history.replaceState(null, '', location.pathname);

const showInvitation = async (token) => {
  const invitation = await call('POST', '/invitation', { token });
  const isReset = invitation.userId !== null;
  element('invitation-title').textContent = isReset ? 'Set a new password' : 'Join Weft';
  element('invited-email').value = invitation.email;
  element('invited-role').textContent = isReset
    ? 'Setting a new password ends all your sessions.'
    : `You were invited with the role ${invitation.role}.`;
  show('invited-name-field', !isReset);
  showView('invitation-view');
  element(isReset ? 'invited-password' : 'invited-name').focus();
};

element('invitation-form').addEventListener('submit', (event) => {
  event.preventDefault();
  void act(element('accept'), async () => {
    const person = await call('POST', '/invitation/accept', {
      token: invitationToken() ?? '',
      name: element('invited-name').value,
      password: element('invited-password').value,
    });
    forgetFragment();
    element('invitation-form').reset();
    await showSettings(person, 'You are signed in.');
  });
});

element('sign-out').addEventListener('click', () =>
  act(element('sign-out'), async () => {
    await call('DELETE', '/session');
    showSignIn();
    say('You are signed out.');
  }),
);

element('sign-out-everywhere').addEventListener('click', () =>
  confirmThen(
    {
      title: 'Sign out everywhere?',
      text: 'All your sessions end, in this and every other browser. API keys keep working.',
      action: 'Sign out everywhere',
      isDangerous: false,
    },
    element('sign-out-everywhere'),
    async () => {
      await call('DELETE', '/sessions');
      showSignIn();
      say('You are signed out everywhere.');
    },
  ),
);

const begin = async () => {
  const token = invitationToken();
  if (token !== undefined) return showInvitation(token);
  const person = await call('GET', '/session');
  if (person !== null) return showSettings(person);
  const { open } = await call('GET', '/setup');
  if (open) return showSetUp();
  showSignIn();
  const refusal = refusalText();
  if (refusal !== undefined) {
    alertUser(refusal);
    forgetFragment();
  }
};

const start = () =>
  begin().catch((error) => {
    showSignIn();
    alertUser(error.message);
  });

// A link may be opened while the page is already open.
window.addEventListener('hashchange', () => {
  alertUser('');
  void start();
});
void start();
