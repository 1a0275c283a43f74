// Credentials and the projects that they are granted to, for owners, admins and admins of projects.
import { act, call, confirmThen, element, option, rowButton, say, show, timeCell } from './page.js';

/** Names of projects by id, the email for a user id, and the credential whose grants are shown. */
let projectNames = new Map();
let emailOf = (id) => id;
let shown;

const nameOf = (id) => projectNames.get(id) ?? emailOf(id);
const grantsPath = (credential, rest = '') => `/credentials/${encodeURIComponent(credential.id)}/grants${rest}`;
const grantPath = (credential, projectId) => grantsPath(credential, `/${encodeURIComponent(projectId)}`);

/** Changes the grants, then shows their current state, also after a refusal. */
const change = async (credential, work, text) => {
  try {
    await work();
    say(text);
  } finally {
    await showGrants(credential);
  }
};

const askToRevoke = (credential, projectId, opener) =>
  confirmThen(
    {
      title: 'Revoke grant?',
      text: `Nodes of ${nameOf(projectId)} that use ${credential.name} will fail.`,
      action: 'Revoke grant',
    },
    opener,
    async () => {
      await change(
        credential,
        () => call('DELETE', grantPath(credential, projectId)),
        `${credential.name} is no longer granted to ${nameOf(projectId)}.`,
      );
      element('grants').focus();
    },
  );

const grantRow = (credential, { projectId, grantedBy, grantedAt }) => {
  const row = document.createElement('tr');
  row.insertCell().textContent = nameOf(projectId);
  row.insertCell().textContent = emailOf(grantedBy);
  timeCell(row, grantedAt);
  row
    .insertCell()
    .append(
      rowButton('Revoke', `Revoke the grant of ${credential.name} to ${nameOf(projectId)}`, 'delete', (button) =>
        askToRevoke(credential, projectId, button),
      ),
    );
  return row;
};

/** Offers the projects that do not have the credential yet, sorted by name. */
const offerProjects = ({ ownerId }, grants) => {
  const taken = new Set([ownerId, ...grants.map(({ projectId }) => projectId)]);
  const free = [...projectNames].filter(([id]) => !taken.has(id));
  free.sort(([, one], [, other]) => one.localeCompare(other));
  element('grant-project').replaceChildren(...free.map(([id, name]) => option(id, name)));
  show('grant-form', free.length > 0);
};

/** Shows the grants of a credential below the table. */
const showGrants = async (credential) => {
  const grants = await call('GET', grantsPath(credential));
  shown = credential;
  element('grants-credential').textContent = credential.name;
  element('grant-rows').replaceChildren(...grants.map((grant) => grantRow(credential, grant)));
  offerProjects(credential, grants);
  show('grants-table', grants.length > 0);
  show('no-grants', grants.length === 0);
  show('grants', true);
};

const credentialRow = (credential) => {
  const row = document.createElement('tr');
  row.insertCell().textContent = credential.name;
  row.insertCell().textContent = credential.type;
  row.insertCell().textContent = nameOf(credential.ownerId);
  row.insertCell().append(
    rowButton('Grants', `Grants of ${credential.name}`, 'plain', (button) =>
      act(button, async () => {
        await readNames();
        await showGrants(credential);
        element('grants').focus();
      }),
    ),
  );
  return row;
};

/** Reads the names again, since projects are created and renamed on this page too. */
const readNames = async () => {
  projectNames = new Map((await call('GET', '/project-names')).map(({ id, name }) => [id, name]));
};

const listCredentials = async () => {
  const credentials = await call('GET', '/credentials');
  show('credentials-section', credentials !== null);
  if (credentials === null) return;
  await readNames();
  element('credential-rows').replaceChildren(...credentials.map(credentialRow));
  show('credentials', credentials.length > 0);
  show('no-credentials', credentials.length === 0);
};

/** Shows the credentials that the user manages. @param emailOfUser the email of a user id, or the id itself */
export const showCredentials = async (person, emailOfUser) => {
  emailOf = (id) => (id === person.id ? person.email : emailOfUser(id));
  show('credentials-section', false);
  show('grants', false);
  await listCredentials();
};

element('grant-form').addEventListener('submit', (event) => {
  event.preventDefault();
  void act(element('grant'), async () => {
    const projectId = element('grant-project').value;
    await change(
      shown,
      () => call('PUT', grantPath(shown, projectId)),
      `${shown.name} is granted to ${nameOf(projectId)}.`,
    );
  });
});
element('credentials-refresh').addEventListener('click', () => act(element('credentials-refresh'), listCredentials));
element('grants-done').addEventListener('click', () => show('grants', false));
