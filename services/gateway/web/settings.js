// The settings page: setting up the first owner, signing in, and API keys. Plain functions over the page's elements; text goes in as text, never as HTML.
'use strict';

const element = (id) => document.getElementById(id);
const show = (id, isShown) => {
  element(id).hidden = !isShown;
};
const say = (text) => {
  element('status').textContent = text;
};

const alertUser = (text) => {
  element('alert').textContent = text;
  show('alert', text !== '');
};

class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** Calls an endpoint of this page; returns its data, or throws a Refusal with a sentence for the reader. */
const call = async (method, path, body) => {
  const headers = { 'X-Weft-Settings': '1', ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) };
  let response;
  try {
    response = await fetch(`/settings/api${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch {
    throw new Refusal(0, 'The server cannot be reached. Check your connection and try again.');
  }
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer.data;
  const field = answer.error?.details?.fields?.[0];
  const fieldText = field === undefined ? '' : ` ${field.field}: ${field.message}`;
  throw new Refusal(response.status, `${answer.error?.message ?? 'The server gave no usable answer.'}${fieldText}`);
};

/** Shows one of the three views alone. */
const showView = (id) => {
  for (const view of ['set-up-view', 'sign-in-view', 'keys-view']) show(view, view === id);
  show('account', id === 'keys-view');
};

const showSetUp = () => {
  showView('set-up-view');
  element('set-up-code').focus();
};

const showSignIn = () => {
  hideNewKey();
  showView('sign-in-view');
  element('email').focus();
};

const showKeys = async (person) => {
  element('who-email').textContent = person.email;
  element('who-role').textContent = person.role;
  showView('keys-view');
  await listKeys();
};

/** Runs the action of a button: one at a time, showing its failure. An ended session leads back to the sign-in. */
const act = async (button, work) => {
  if (button.disabled) return;
  button.disabled = true;
  alertUser('');
  try {
    await work();
  } catch (error) {
    if (error.status === 401 && !element('keys-view').hidden) {
      showSignIn();
      alertUser('Your session has ended. Sign in again.');
    } else {
      alertUser(error.message);
    }
  } finally {
    button.disabled = false;
  }
};

const dateText = (iso) => new Date(iso).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });

const keyRow = (key) => {
  const row = document.createElement('tr');
  row.dataset.keyId = key.id;
  const name = row.insertCell();
  name.textContent = key.name;
  const time = document.createElement('time');
  time.dateTime = key.createdAt;
  time.textContent = dateText(key.createdAt);
  row.insertCell().append(time);
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'delete';
  button.textContent = 'Delete';
  button.setAttribute('aria-label', `Delete key ${key.name}`);
  button.addEventListener('click', () => askToDelete(key, button));
  row.insertCell().append(button);
  return row;
};

const listKeys = async () => {
  const keys = await call('GET', '/keys');
  element('key-rows').replaceChildren(...keys.map(keyRow));
  show('keys', keys.length > 0);
  show('no-keys', keys.length === 0);
};

const showNewKey = (key) => {
  element('new-key-name').textContent = key.name;
  element('new-key-value').value = key.value;
  element('try-it').textContent = `curl -H 'X-SVC-API-KEY: ${key.value}' ${location.origin}/api/v1/workflows`;
  element('copy-key').textContent = 'Copy';
  show('new-key', true);
  element('new-key').focus();
};

const hideNewKey = () => {
  element('new-key-value').value = '';
  element('try-it').textContent = '';
  show('new-key', false);
};

/** Copies by the clipboard if the browser lets pages of this address use it, else by selection. */
const copyValue = async () => {
  const field = element('new-key-value');
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    if (!document.execCommand('copy'))
      throw new Refusal(0, 'The browser did not let this page copy. The value is selected: copy it with Ctrl+C.');
  }
  element('copy-key').textContent = 'Copied';
  say('The value of the key is copied.');
};

const askToDelete = (key, opener) => {
  const dialog = element('delete-dialog');
  element('delete-name').textContent = key.name;
  element('delete-confirm').onclick = () =>
    act(element('delete-confirm'), async () => {
      dialog.close();
      await call('DELETE', `/keys/${encodeURIComponent(key.id)}`);
      await listKeys();
      say(`Key ${key.name} is deleted.`);
      element('key-name').focus();
    });
  dialog.onclose = () => {
    if (opener.isConnected) opener.focus();
  };
  dialog.showModal();
  element('delete-cancel').focus();
};

element('sign-in-form').addEventListener('submit', (event) => {
  event.preventDefault();
  void act(element('sign-in'), async () => {
    const person = await call('POST', '/session', {
      email: element('email').value,
      password: element('password').value,
    });
    element('password').value = '';
    await showKeys(person);
    say('You are signed in.');
    element('key-name').focus();
  });
});

/** The browser shows it beside the field, as it does for other missing values. */
const compareSetUpPasswords = () => {
  const isSame = element('set-up-repeat').value === element('set-up-password').value;
  element('set-up-repeat').setCustomValidity(isSame ? '' : 'The two passwords differ.');
};

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
    // Another caller was faster.
    if (error.status === 409) showSignIn();
    throw error;
  }
  element('set-up-form').reset();
  await showKeys(person);
  say('The owner is made, and you are signed in.');
  element('key-name').focus();
};

for (const id of ['set-up-password', 'set-up-repeat']) element(id).addEventListener('input', compareSetUpPasswords);
element('set-up-form').addEventListener('submit', (event) => {
  event.preventDefault();
  void act(element('set-up'), setUp);
});

element('sign-out').addEventListener('click', () =>
  act(element('sign-out'), async () => {
    await call('DELETE', '/session');
    showSignIn();
    say('You are signed out.');
  }),
);

element('create-key-form').addEventListener('submit', (event) => {
  event.preventDefault();
  void act(element('create-key'), async () => {
    const key = await call('POST', '/keys', { name: element('key-name').value });
    element('key-name').value = '';
    showNewKey(key);
    say(`Key ${key.name} is made.`);
    await listKeys();
  });
});

element('copy-key').addEventListener('click', () => act(element('copy-key'), copyValue));
element('new-key-done').addEventListener('click', () => {
  hideNewKey();
  element('key-name').focus();
});
element('delete-cancel').addEventListener('click', () => element('delete-dialog').close());

const begin = async () => {
  const person = await call('GET', '/session');
  if (person !== null) return showKeys(person);
  const { open } = await call('GET', '/setup');
  return open ? showSetUp() : showSignIn();
};

begin().catch((error) => {
  showSignIn();
  alertUser(error.message);
});
