// Functions that all parts of the settings page use. Text is inserted as text, never as HTML.

export const element = (id) => document.getElementById(id);
export const show = (id, isShown) => {
  element(id).hidden = !isShown;
};
export const say = (text) => {
  element('status').textContent = text;
};

export const alertUser = (text) => {
  element('alert').textContent = text;
  show('alert', text !== '');
};

export class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** Calls an endpoint of this page and returns its data. Throws a Refusal with a message for the user. */
export const call = async (method, path, body, pick = ({ data }) => data) => {
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
  if (response.ok) return pick(answer);
  const field = answer.error?.details?.fields?.[0];
  const fieldText = field === undefined ? '' : ` ${field.field}: ${field.message}`;
  throw new Refusal(response.status, `${answer.error?.message ?? 'The server sent an invalid response.'}${fieldText}`);
};

let onSessionEnd = () => {};

/** Sets the function that shows the sign-in when a session has ended. */
export const whenSessionEnds = (show) => {
  onSessionEnd = show;
};

/** Runs the action of a button, once at a time, and shows its failure. An ended session leads back to the sign-in. */
export const act = async (button, work) => {
  if (button.disabled) return;
  button.disabled = true;
  alertUser('');
  try {
    await work();
  } catch (error) {
    if (error.status === 401 && !element('keys-view').hidden) {
      onSessionEnd();
      alertUser('Your session has ended. Sign in again.');
    } else {
      alertUser(error.message);
    }
  } finally {
    button.disabled = false;
  }
};

export const dateText = (iso) => new Date(iso).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** Adds a cell with a time, or with other text if there is none. */
export const timeCell = (row, iso, otherwise = '') => {
  const cell = row.insertCell();
  if (iso === null) {
    cell.textContent = otherwise;
    return cell;
  }
  const time = document.createElement('time');
  time.dateTime = iso;
  time.textContent = dateText(iso);
  cell.append(time);
  return cell;
};

/** Creates an entry of a select. */
export const option = (value, text = value) => {
  const made = document.createElement('option');
  made.value = value;
  made.textContent = text;
  return made;
};

/** Creates a button of a table row. */
export const rowButton = (text, label, className, onClick) => {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = className;
  button.textContent = text;
  button.setAttribute('aria-label', label);
  button.addEventListener('click', () => onClick(button));
  return button;
};

/** Asks before doing the work. The focus then returns to the opener if it is still there. */
export const confirmThen = ({ title, text, action, isDangerous = true }, opener, work) => {
  const dialog = element('confirm-dialog');
  const confirm = element('confirm-do');
  element('confirm-title').textContent = title;
  element('confirm-text').textContent = text;
  confirm.textContent = action;
  confirm.className = isDangerous ? 'danger' : '';
  confirm.onclick = () =>
    act(confirm, async () => {
      dialog.close();
      await work();
    });
  dialog.onclose = () => {
    if (opener.isConnected) opener.focus();
  };
  dialog.showModal();
  element('confirm-cancel').focus();
};

/** Copies a field through the clipboard API, or by selection where the browser does not offer it to this address. */
export const copyField = async (field, button) => {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    if (!document.execCommand('copy'))
      throw new Refusal(0, 'The browser did not allow copying. The value is selected: press Ctrl+C.');
  }
  button.textContent = 'Copied';
  say('Copied.');
};

element('confirm-cancel').addEventListener('click', () => element('confirm-dialog').close());
