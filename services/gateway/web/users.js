// Users and invitations, for owners and admins.
import {
  act,
  call,
  confirmThen,
  copyField,
  dateText,
  element,
  option,
  rowButton,
  say,
  show,
  timeCell,
} from './page.js';

const MANAGED = { owner: ['owner', 'admin', 'editor', 'viewer'], admin: ['editor', 'viewer'], editor: [], viewer: [] };

/** The signed-in user, and the users that were listed last. */
let self = { id: '', role: 'viewer' };
let users = [];

const pathOf = (user, rest = '') => `/users/${encodeURIComponent(user.id)}${rest}`;

/** Changes a user, then shows the current state, also after a refusal. */
const change = async (work, text) => {
  try {
    await work();
    say(text);
  } finally {
    await listUsers();
  }
};

const changeRole = (user, select) =>
  act(select, () =>
    change(() => call('PUT', pathOf(user), { role: select.value }), `${user.email} now has the role ${select.value}.`),
  );

const roleCell = (row, user) => {
  const cell = row.insertCell();
  if (!MANAGED[self.role].includes(user.role)) {
    cell.textContent = user.role;
    return;
  }
  const select = document.createElement('select');
  select.append(...MANAGED[self.role].map((role) => option(role)));
  select.value = user.role;
  select.setAttribute('aria-label', `Role of ${user.email}`);
  select.addEventListener('change', () => changeRole(user, select));
  cell.append(select);
};

const lock = (user, button) =>
  user.lockedAt === null
    ? confirmThen(
        {
          title: 'Lock user?',
          text: `Keys, sessions and password of ${user.email} stop working immediately. Their workflows keep running.`,
          action: 'Lock user',
        },
        button,
        () => change(() => call('POST', pathOf(user, '/lock')), `${user.email} is locked.`),
      )
    : act(button, () => change(() => call('POST', pathOf(user, '/unlock')), `${user.email} is unlocked.`));

/** Users who may receive the objects of a deleted user. */
const heirsOf = (user) =>
  users.filter(({ id, role, lockedAt }) => id !== user.id && role !== 'viewer' && lockedAt === null);

const askToDelete = (user, button) => {
  const heirs = element('delete-user-heir');
  heirs.replaceChildren(option('', 'No one (only if the user owns nothing)'));
  heirs.append(...heirsOf(user).map(({ id, email }) => option(id, email)));
  element('delete-user-email').textContent = user.email;
  const dialog = element('delete-user-dialog');
  const confirm = element('delete-user-confirm');
  confirm.onclick = () =>
    act(confirm, async () => {
      const query = heirs.value === '' ? '' : `?transferTo=${encodeURIComponent(heirs.value)}`;
      dialog.close();
      await change(() => call('DELETE', pathOf(user, query)), `${user.email} was deleted.`);
      show('user-keys', false);
      hideInvitation();
      await listInvitations();
    });
  dialog.onclose = () => {
    if (button.isConnected) button.focus();
  };
  dialog.showModal();
  element('delete-user-cancel').focus();
};

const deleteKey = (user, key, button) =>
  confirmThen(
    {
      title: 'Delete API key?',
      text: `Every client that uses “${key.name}” of ${user.email} will be refused immediately. This cannot be undone.`,
      action: 'Delete key',
    },
    button,
    async () => {
      await call('DELETE', pathOf(user, `/keys/${encodeURIComponent(key.id)}`));
      say(`Key ${key.name} was deleted.`);
      await showKeys(user);
    },
  );

/** Shows the keys of a user below the table. */
const showKeys = async (user) => {
  const keys = await call('GET', pathOf(user, '/keys'));
  element('user-keys-email').textContent = user.email;
  element('user-key-rows').replaceChildren(
    ...keys.map((key) => {
      const row = document.createElement('tr');
      row.insertCell().textContent = key.name;
      timeCell(row, key.createdAt);
      row
        .insertCell()
        .append(rowButton('Delete', `Delete key ${key.name}`, 'delete', (button) => deleteKey(user, key, button)));
      return row;
    }),
  );
  show('user-keys-table', keys.length > 0);
  show('user-no-keys', keys.length === 0);
  show('user-keys', true);
  element('user-keys').focus();
};

const signOut = (user, button) =>
  act(button, async () => {
    await call('POST', pathOf(user, '/sign-out'));
    say(`${user.email} is signed out everywhere.`);
  });

const resetPassword = (user, button) =>
  act(button, async () => {
    showLink(await call('POST', pathOf(user, '/reset-password')));
    say(`Created a link with which ${user.email} can set a new password.`);
    await listInvitations();
  });

const userRow = (user) => {
  const row = document.createElement('tr');
  const email = row.insertCell();
  email.textContent = user.email;
  if (user.lockedAt !== null) {
    const tag = document.createElement('span');
    tag.className = 'tag';
    tag.textContent = 'locked';
    tag.title = `since ${dateText(user.lockedAt)}`;
    email.append(' ', tag);
  }
  roleCell(row, user);
  const actions = row.insertCell();
  if (!MANAGED[self.role].includes(user.role)) return row;
  const isLocked = user.lockedAt !== null;
  actions.className = 'actions';
  actions.append(
    rowButton('Keys', `Keys of ${user.email}`, 'plain', (button) => act(button, () => showKeys(user))),
    rowButton('New password', `Create a link for a new password of ${user.email}`, 'plain', (button) =>
      resetPassword(user, button),
    ),
    rowButton('Sign out', `Sign out ${user.email} everywhere`, 'plain', (button) => signOut(user, button)),
    rowButton(isLocked ? 'Unlock' : 'Lock', `${isLocked ? 'Unlock' : 'Lock'} ${user.email}`, 'plain', (button) =>
      lock(user, button),
    ),
    rowButton('Delete', `Delete user ${user.email}`, 'delete', (button) => askToDelete(user, button)),
  );
  return row;
};

const listUsers = async () => {
  users = await call('GET', '/users');
  element('user-rows').replaceChildren(...users.map(userRow));
};

/** The email of a user, or the id if it is not listed. */
export const emailOf = (id) => users.find((user) => user.id === id)?.email ?? id;

/** Shows users if the signed-in user manages any. @returns true if so */
export const showUsers = async (person) => {
  self = person;
  const isManager = MANAGED[person.role].length > 0;
  show('users-section', isManager);
  show('user-keys', false);
  if (!isManager) return false;
  element('new-user-role').replaceChildren(...MANAGED[person.role].map((role) => option(role)));
  element('new-user-role').value = 'editor';
  await listUsers();
  await listInvitations();
  return true;
};

const withdraw = (invitation, button) =>
  act(button, async () => {
    await call('DELETE', `/invitations/${encodeURIComponent(invitation.id)}`);
    say(`The invitation of ${invitation.email} was withdrawn.`);
    await listInvitations();
  });

const invitationRow = (invitation) => {
  const row = document.createElement('tr');
  const purpose = invitation.userId === null ? invitation.role : 'new password';
  row.insertCell().textContent = `${invitation.email} (${purpose})`;
  timeCell(row, invitation.expiresAt);
  row
    .insertCell()
    .append(
      rowButton('Withdraw', `Withdraw the invitation of ${invitation.email}`, 'delete', (button) =>
        withdraw(invitation, button),
      ),
    );
  return row;
};

const listInvitations = async () => {
  const invitations = await call('GET', '/invitations');
  element('invitation-rows').replaceChildren(...invitations.map(invitationRow));
  show('invitations', invitations.length > 0);
};

const showLink = ({ email, token }) => {
  element('invitation-email').textContent = email;
  element('invitation-link').value = `${location.origin}/settings/#invitation=${token}`;
  element('copy-invitation').textContent = 'Copy';
  show('new-invitation', true);
  element('new-invitation').focus();
};

export const hideInvitation = () => {
  element('invitation-link').value = '';
  show('new-invitation', false);
};

element('invite-form').addEventListener('submit', (event) => {
  event.preventDefault();
  void act(element('invite'), async () => {
    const invitation = await call('POST', '/invitations', {
      email: element('new-user-email').value,
      role: element('new-user-role').value,
    });
    element('new-user-email').value = '';
    showLink(invitation);
    say(`${invitation.email} was invited.`);
    await listInvitations();
  });
});
element('copy-invitation').addEventListener('click', () =>
  act(element('copy-invitation'), () => copyField(element('invitation-link'), element('copy-invitation'))),
);
element('invitation-done').addEventListener('click', () => {
  hideInvitation();
  element('new-user-email').focus();
});
element('user-keys-done').addEventListener('click', () => show('user-keys', false));
element('delete-user-cancel').addEventListener('click', () => element('delete-user-dialog').close());
