// The audit log, for owners and admins.
import { act, call, element, show, timeCell } from './page.js';

const PAGE_SIZE = 20;

let cursor = null;
let nameOf = (id) => id;

/** The fields of a record on one line, each with its name. */
const aboutText = (about) =>
  Object.entries(about)
    .map(([name, value]) => `${name} ${name === 'userId' ? nameOf(value) : value}`)
    .join(', ');

const auditRow = ({ at, action, actor, about, outcome, clientAddress }) => {
  const row = document.createElement('tr');
  timeCell(row, at);
  row.insertCell().textContent = outcome === 'refused' ? `${action} (refused)` : action;
  row.insertCell().textContent = clientAddress === '' ? nameOf(actor) : `${nameOf(actor)} from ${clientAddress}`;
  row.insertCell().textContent = aboutText(about);
  return row;
};

/** Reads the page after a cursor. Moves the cursor only when the read succeeds, so a refused read loses no place. */
const readPage = async (after) => {
  const query = after === null ? '' : `&cursor=${encodeURIComponent(after)}`;
  const page = await call('GET', `/audit?limit=${PAGE_SIZE}${query}`, undefined, (answer) => answer);
  cursor = page.nextCursor;
  show('audit-older', cursor !== null);
  return page.data.map(auditRow);
};

/** Shows the newest records. @param emailOf the email of a user id, or the id itself */
export const showAudit = async (emailOf) => {
  nameOf = emailOf;
  element('audit-rows').replaceChildren(...(await readPage(null)));
};

element('audit-older').addEventListener('click', () =>
  act(element('audit-older'), async () => element('audit-rows').append(...(await readPage(cursor)))),
);
element('audit-refresh').addEventListener('click', () => act(element('audit-refresh'), () => showAudit(nameOf)));
