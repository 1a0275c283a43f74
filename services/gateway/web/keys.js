// The API keys of the signed-in user.
import { act, call, confirmThen, copyField, element, rowButton, say, show, timeCell } from './page.js';

const askToDelete = (key, opener) =>
  confirmThen(
    {
      title: 'Delete API key?',
      text: `Every client that uses “${key.name}” is refused at once. This cannot be undone.`,
      action: 'Delete key',
    },
    opener,
    async () => {
      await call('DELETE', `/keys/${encodeURIComponent(key.id)}`);
      await listKeys();
      say(`Key ${key.name} is deleted.`);
      element('key-name').focus();
    },
  );

const keyRow = (key) => {
  const row = document.createElement('tr');
  row.dataset.keyId = key.id;
  row.insertCell().textContent = key.name;
  timeCell(row, key.createdAt);
  row
    .insertCell()
    .append(rowButton('Delete', `Delete key ${key.name}`, 'delete', (button) => askToDelete(key, button)));
  return row;
};

export const listKeys = async () => {
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

export const hideNewKey = () => {
  element('new-key-value').value = '';
  element('try-it').textContent = '';
  show('new-key', false);
};

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

element('copy-key').addEventListener('click', () =>
  act(element('copy-key'), () => copyField(element('new-key-value'), element('copy-key'))),
);
element('new-key-done').addEventListener('click', () => {
  hideNewKey();
  element('key-name').focus();
});
