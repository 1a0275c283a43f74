// What all parts of the settings page use. Text goes in as text, never as HTML.

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

/** Calls an endpoint of this page; returns its data, or throws a Refusal with a sentence for the reader. */
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
  throw new Refusal(response.status, `${answer.error?.message ?? 'The server gave no usable answer.'}${fieldText}`);
};

let onSessionEnd = () => {};

/** Sets what leads back to the sign-in when a session has ended. */
export const whenSessionEnds = (show) => {
  onSessionEnd = show;
};

/** Runs the action of a button: one at a time, showing its failure. An ended session leads back to the sign-in. */
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

/** A cell with a time, or with other words if there is none. */
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

/** An entry of a select. */
export const option = (value, text = value) => {
  const made = document.createElement('option');
  made.value = value;
  made.textContent = text;
  return made;
};

/** A button of a table row. */
export const rowButton = (text, label, className, onClick) => {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = className;
  button.textContent = text;
  button.setAttribute('aria-label', label);
  button.addEventListener('click', () => onClick(button));
  return button;
};

/** Asks before something is done; the focus goes back to the opener if it is still there. */
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

/** Copies a field by the clipboard if the browser lets pages of this address use it, else by selection. */
export const copyField = async (field, button) => {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    if (!document.execCommand('copy'))
      throw new Refusal(0, 'The browser did not let this page copy. The value is selected: copy it with Ctrl+C.');
  }
  button.textContent = 'Copied';
  say('The value is copied.');
};

element('confirm-cancel').addEventListener('click', () => element('confirm-dialog').close());
