// Projects and their members, for owners, admins and the editors of a project.
import { act, call, confirmThen, element, option, rowButton, say, show, timeCell } from './page.js';

const ROLES = ['admin', 'editor', 'viewer'];

/** The signed-in user, the projects that were listed last, and the project whose members are shown. */
let self = { role: 'viewer' };
let projects = [];
let shown;

const managesAll = () => self.role === 'owner' || self.role === 'admin';

const pathOf = (project, rest = '') => `/projects/${encodeURIComponent(project.id)}${rest}`;
const memberPath = (project, member) => pathOf(project, `/members/${encodeURIComponent(member.userId)}`);

/** Changes the members, then shows their current state, also after a refusal. */
const change = async (project, work, text) => {
  try {
    await work();
    say(text);
  } finally {
    await showMembers(project);
  }
};

const memberRow = (project, member) => {
  const row = document.createElement('tr');
  row.insertCell().textContent = member.email;
  const select = document.createElement('select');
  select.append(...ROLES.map((role) => option(role)));
  select.value = member.role;
  select.setAttribute('aria-label', `Role of ${member.email} in ${project.name}`);
  select.addEventListener('change', () =>
    act(select, () =>
      change(
        project,
        () => call('PUT', memberPath(project, member), { role: select.value }),
        `${member.email} now has the role ${select.value} in ${project.name}.`,
      ),
    ),
  );
  row.insertCell().append(select);
  row.insertCell().append(
    rowButton('Remove', `Remove ${member.email} from ${project.name}`, 'delete', (button) =>
      confirmThen(
        {
          title: 'Remove member?',
          text: `${member.email} will no longer be able to change anything in ${project.name}.`,
          action: 'Remove member',
        },
        button,
        () => change(project, () => call('DELETE', memberPath(project, member)), `${member.email} was removed.`),
      ),
    ),
  );
  return row;
};

/** Shows the members of a project below the table. */
const showMembers = async (project) => {
  const members = await call('GET', pathOf(project, '/members'));
  shown = project;
  element('members-project').textContent = project.name;
  element('member-rows').replaceChildren(...members.map((member) => memberRow(project, member)));
  show('members-table', members.length > 0);
  show('no-members', members.length === 0);
  show('members', true);
};

const deleteProject = (project, button) =>
  confirmThen(
    {
      title: 'Delete project?',
      text:
        `${project.name} is deleted only if it is empty. Move its workflows and credentials first. ` +
        'This cannot be undone.',
      action: 'Delete project',
    },
    button,
    async () => {
      await call('DELETE', pathOf(project));
      say(`${project.name} was deleted.`);
      show('members', false);
      await listProjects();
    },
  );

const setClosed = async (project, closed) => {
  await call('PUT', pathOf(project), { name: project.name, closed });
  say(closed ? `${project.name} is closed.` : `${project.name} is open.`);
  await listProjects();
};

/** Closing needs no confirmation; opening does, since it shows the project's contents to all users. */
const closedButton = (project) =>
  project.closed
    ? rowButton('Open', `Open project ${project.name}`, 'delete', (button) =>
        confirmThen(
          {
            title: 'Open project?',
            text: `Every user will be able to read ${project.name}, including executions and their data.`,
            action: 'Open project',
          },
          button,
          () => setClosed(project, false),
        ),
      )
    : rowButton('Close', `Close project ${project.name}`, 'plain', (button) =>
        act(button, () => setClosed(project, true)),
      );

const projectRow = (project) => {
  const row = document.createElement('tr');
  row.insertCell().textContent = project.name;
  row.insertCell().textContent = project.closed ? 'members' : 'all users';
  timeCell(row, project.createdAt);
  const actions = row.insertCell();
  actions.className = 'actions';
  actions.append(
    rowButton('Members', `Members of ${project.name}`, 'plain', (button) =>
      act(button, async () => {
        await showMembers(project);
        element('members').focus();
      }),
    ),
    closedButton(project),
  );
  if (managesAll())
    actions.append(
      rowButton('Delete', `Delete project ${project.name}`, 'delete', (button) => deleteProject(project, button)),
    );
  return row;
};

const listProjects = async () => {
  projects = await call('GET', '/projects');
  element('project-rows').replaceChildren(...projects.map(projectRow));
  show('projects', projects.length > 0);
  show('no-projects', projects.length === 0);
};

/** Shows all projects to owners and admins, and to editors the projects that they may change. */
export const showProjects = async (person) => {
  self = person;
  show('projects-section', false);
  show('members', false);
  if (person.role === 'viewer') return;
  await listProjects();
  show('create-project-form', managesAll());
  show('projects-section', managesAll() || projects.length > 0);
};

element('new-member-role').replaceChildren(...ROLES.map((role) => option(role)));
element('new-member-role').value = 'editor';

element('create-project-form').addEventListener('submit', (event) => {
  event.preventDefault();
  void act(element('create-project'), async () => {
    const closed = element('project-closed').checked;
    const project = await call('POST', '/projects', { name: element('project-name').value, closed });
    element('project-name').value = '';
    element('project-closed').checked = false;
    say(`${project.name} was created.`);
    await listProjects();
  });
});
element('add-member-form').addEventListener('submit', (event) => {
  event.preventDefault();
  void act(element('add-member'), async () => {
    const email = element('new-member-email').value;
    const role = element('new-member-role').value;
    await change(shown, () => call('POST', pathOf(shown, '/members'), { email, role }), `${email} is now a member.`);
    element('new-member-email').value = '';
  });
});
element('members-done').addEventListener('click', () => show('members', false));
