// The API keys of the signed-in user.
import { act, call, confirmThen, copyField, element, Refusal, rowButton, say, show, timeCell } from './page.js';

const READING = { 'workflows:read': 'read workflows', 'executions:read': 'read executions' };
const WRITING = { 'workflows:write': 'change workflows', 'executions:write': 'start and stop executions' };
const SECRETS = { 'credentials:read': 'list credentials', 'credentials:write': 'change credentials' };
const AUDIT = { 'audit:read': 'read the audit log' };

/** Scopes that a key can be limited to, by role. */
const SCOPES = {
  owner: { ...READING, ...WRITING, ...SECRETS, ...AUDIT },
  admin: { ...READING, ...WRITING, ...SECRETS, ...AUDIT },
  // Credentials of projects in which the editor is an admin.
  editor: { ...READING, ...WRITING, ...SECRETS },
  viewer: READING,
};
const DAY_MS = 86_400_000;

const scopeBox = ([scope, text]) => {
  const label = document.createElement('label');
  const box = document.createElement('input');
  box.type = 'checkbox';
  box.value = scope;
  label.append(box, ` ${text}`);
  return label;
};

const boxes = () => [...element('key-scopes').querySelectorAll('input')];

/** The scopes chosen for the new key; undefined if it is not limited. */
const chosenScopes = () => {
  const access = element('key-access').value;
  if (access === 'all') return undefined;
  const scopes = boxes().filter((box) => (access === 'read' ? box.value.endsWith(':read') : box.checked));
  return scopes.map((box) => box.value);
};

const chosenExpiry = () => {
  const days = Number(element('key-expiry').value);
  return days === 0 ? undefined : new Date(Date.now() + days * DAY_MS).toISOString();
};

const askToDelete = (key, opener) =>
  confirmThen(
    {
      title: 'Delete API key?',
      text: `Every client that uses “${key.name}” will be refused immediately. This cannot be undone.`,
      action: 'Delete key',
    },
    opener,
    async () => {
      await call('DELETE', `/keys/${encodeURIComponent(key.id)}`);
      await listKeys();
      say(`Key ${key.name} was deleted.`);
      element('key-name').focus();
    },
  );

const hint = (text) => {
  const made = document.createElement('p');
  made.className = 'field-hint';
  made.textContent = text;
  return made;
};

const keyRow = (key) => {
  const row = document.createElement('tr');
  row.dataset.keyId = key.id;
  const name = row.insertCell();
  name.textContent = key.name;
  if (key.scopes !== null) name.append(hint(key.scopes.join(', ')));
  timeCell(row, key.createdAt);
  const expiry = timeCell(row, key.expiresAt, 'Never');
  if (key.expiresAt !== null && new Date(key.expiresAt) <= new Date()) expiry.append(hint('expired'));
  timeCell(row, key.lastUsedAt, 'Never');
  row
    .insertCell()
    .append(rowButton('Delete', `Delete key ${key.name}`, 'delete', (button) => askToDelete(key, button)));
  return row;
};

const listKeys = async () => {
  const keys = await call('GET', '/keys');
  element('key-rows').replaceChildren(...keys.map(keyRow));
  show('keys', keys.length > 0);
  show('no-keys', keys.length === 0);
};

/** Shows the keys of the signed-in user, and the scopes to which a new key can be limited. */
export const showKeys = async ({ role }) => {
  element('key-scopes').replaceChildren(
    element('key-scopes').querySelector('legend'),
    ...Object.entries(SCOPES[role]).map(scopeBox),
  );
  await listKeys();
};

const showNewKey = (key) => {
  element('new-key-name').textContent = key.name;
  element('new-key-value').value = key.value;
  element('try-it').textContent = `curl -H 'X-SVC-API-KEY: ${key.value}' ${location.origin}/api/v1/workflows`;
  element('copy-key').textContent = 'Copy';
  show('new-key', true);
  element('new-key').focus();
};

export const hideNewKey = () => {
  element('new-key-value').value = '';
  element('try-it').textContent = '';
  show('new-key', false);
};

element('create-key-form').addEventListener('submit', (event) => {
  event.preventDefault();
  void act(element('create-key'), async () => {
    const scopes = chosenScopes();
    if (scopes?.length === 0) throw new Refusal(0, 'Choose at least one scope.');
    // JSON omits undefined fields.
    const key = await call('POST', '/keys', { name: element('key-name').value, expiresAt: chosenExpiry(), scopes });
    element('create-key-form').reset();
    show('key-scopes', false);
    showNewKey(key);
    say(`Key ${key.name} was created.`);
    await listKeys();
  });
});

element('key-access').addEventListener('change', () => show('key-scopes', element('key-access').value === 'chosen'));

element('copy-key').addEventListener('click', () =>
  act(element('copy-key'), () => copyField(element('new-key-value'), element('copy-key'))),
);
element('new-key-done').addEventListener('click', () => {
  hideNewKey();
  element('key-name').focus();
});
