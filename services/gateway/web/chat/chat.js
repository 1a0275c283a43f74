// The page of a chat. Texts of people and models become text nodes, never HTML.

const MAX_WAIT_MS = 300_000;
/** The same for an answer that arrives in parts. */
const MAX_STREAM_MS = 900_000;
const root = document.getElementById('chat');
const config = JSON.parse(root.dataset.config);
const log = root.querySelector('[role="log"]');
const form = root.querySelector('form');
const input = form.querySelector('textarea');
const files = form.querySelector('input[type="file"]');
const send = form.querySelector('button[type="submit"]');
const storeKey = `weft-chat:${location.pathname}`;

const newSession = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** The session of this browser; of this page alone if the browser stores nothing. */
const stored = (() => {
  let own = '';
  return {
    get: () => {
      try {
        return localStorage.getItem(storeKey) ?? own;
      } catch {
        return own;
      }
    },
    set: (value) => {
      own = value;
      try {
        localStorage.setItem(storeKey, value);
      } catch {
        // The session lasts as long as the page.
      }
    },
  };
})();

const session = () => {
  if (stored.get() === '') stored.set(newSession());
  return stored.get();
};

const element = (name, text, className = '') => {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className !== '') made.className = className;
  return made;
};

const INLINE = /(`[^`\n]+`)|(\*\*[^*\n]+\*\*)|(\*[^*\n]+\*)|\[([^\]\n]+)\]\((https?:\/\/[^\s)]+)\)/g;

const appendInline = (parent, text) => {
  let from = 0;
  for (const match of text.matchAll(INLINE)) {
    parent.append(text.slice(from, match.index));
    const [whole, code, bold, italic, label, url] = match;
    if (code !== undefined) parent.append(element('code', code.slice(1, -1)));
    else if (bold !== undefined) parent.append(element('strong', bold.slice(2, -2)));
    else if (italic !== undefined) parent.append(element('em', italic.slice(1, -1)));
    else {
      const link = element('a', label);
      link.href = url;
      link.target = '_blank';
      link.rel = 'noopener noreferrer';
      parent.append(link);
    }
    from = match.index + whole.length;
  }
  parent.append(text.slice(from));
};

/** Markdown with a fixed list of elements: paragraphs, headings, lists, code, emphasis and links. */
const appendMarkdown = (parent, text) => {
  let list;
  let code;
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) {
      code = code === undefined ? parent.appendChild(element('pre')).appendChild(element('code', '')) : undefined;
      list = undefined;
      continue;
    }
    if (code !== undefined) {
      code.append(`${line}\n`);
      continue;
    }
    const [, bullet, number, item] = /^\s*(?:([-*])|(\d+)[.)])\s+(.*)$/.exec(line) ?? [];
    if (item !== undefined) {
      const name = bullet === undefined ? 'ol' : 'ul';
      if (list?.localName !== name) {
        list = parent.appendChild(element(name));
        if (number !== undefined) list.start = Number(number);
      }
      appendInline(list.appendChild(element('li')), item);
      continue;
    }
    list = undefined;
    if (line.trim() === '') continue;
    const [, marks, heading] = /^(#{1,6})\s+(.*)$/.exec(line) ?? [];
    appendInline(parent.appendChild(element(marks === undefined ? 'p' : 'h3')), heading ?? line);
  }
};

const show = (who, text, isError = false) => {
  const message = element('div', undefined, `message ${who}${isError ? ' error' : ''}`);
  message.append(element('span', who === 'user' ? 'You' : 'Assistant', 'who'));
  if (who === 'user') message.append(element('p', text));
  else appendMarkdown(message, text);
  log.append(message);
  message.scrollIntoView({ block: 'end' });
  return message;
};

/** The text of a response: the fields that agents and chains give, or all of it. */
const textOf = (response) => {
  if (typeof response === 'string') return response;
  const first = Array.isArray(response) ? response[0] : response;
  for (const name of ['output', 'text', 'message', 'response'])
    if (typeof first?.[name] === 'string') return first[name];
  const shown = first?.output ?? first ?? '';
  return shown === '' ? '(no text)' : `\`\`\`\n${JSON.stringify(shown, undefined, 2)}\n\`\`\``;
};

const parsed = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const failureOf = (status, answer) =>
  new Error(answer?.error?.message ?? answer?.message ?? `The chat answered ${status}.`);

const request = async (fields, chosen = []) => {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  chosen.forEach((file) => body.append('files', file));
  return fetch(location.pathname, {
    method: 'POST',
    credentials: config.isGuarded ? 'same-origin' : 'omit',
    signal: AbortSignal.timeout(config.streams ? MAX_STREAM_MS : MAX_WAIT_MS),
    ...(chosen.length > 0
      ? { body }
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(fields) }),
  });
};

const post = async (fields, chosen) => {
  const response = await request(fields, chosen);
  const answer = parsed(await response.text());
  if (!response.ok) throw failureOf(response.status, answer);
  return answer;
};

/** Reads lines of JSON as they arrive. */
async function* linesOf(body) {
  let rest = '';
  // Not all browsers can iterate over a stream.
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (rest + part.value).split('\n');
    rest = lines.pop();
    for (const line of lines) if (line !== '') yield parsed(line);
  }
  if (rest !== '') yield parsed(rest);
}

/** Shows answers while they arrive. Each text of a node is a message; one that begins again replaces what it wrote. */
const showStream = async (response, waiting) => {
  if (!response.ok) throw failureOf(response.status, parsed(await response.text()));
  const messages = new Map();
  let failure;
  for await (const { type, content = '', metadata = {} } of linesOf(response.body)) {
    const key = JSON.stringify([metadata.nodeName, metadata.runIndex, metadata.itemIndex]);
    if (type === 'begin') {
      const open = messages.get(key);
      if (open?.isOpen) open.element.remove();
      messages.set(key, { text: '', isOpen: true });
    }
    const message = messages.get(key);
    if (type === 'item' && message !== undefined) {
      message.text += content;
      if (message.element === undefined) {
        waiting.remove();
        message.element = show('assistant', '');
        message.element.append(element('p', ''));
      }
      message.element.lastChild.append(content);
      message.element.scrollIntoView({ block: 'end' });
    }
    if (type === 'end' && message !== undefined) {
      message.isOpen = false;
      if (message.element === undefined) continue;
      message.element.lastChild.remove();
      appendMarkdown(message.element, message.text);
    }
    if (type === 'error') failure = new Error(content === '' ? 'The workflow failed.' : `${content}.`);
  }
  if (failure !== undefined) throw failure;
  if ([...messages.values()].every(({ text }) => text === '')) show('assistant', '(no text)');
};

const setBusy = (isBusy) => {
  send.disabled = isBusy;
  log.setAttribute('aria-busy', String(isBusy));
};

const say = async (text, chosen) => {
  show('user', [text, ...chosen.map(({ name }) => `📎 ${name}`)].filter((part) => part !== '').join('\n'));
  const waiting = show('assistant', '…');
  setBusy(true);
  try {
    const fields = { action: 'sendMessage', sessionId: session(), chatInput: text };
    if (config.streams) await showStream(await request(fields, chosen), waiting);
    else show('assistant', textOf(await post(fields, chosen)));
    waiting.remove();
  } catch (error) {
    waiting.remove();
    show('assistant', `${error.message} Send the message again.`, true);
    input.value ||= text;
  } finally {
    setBusy(false);
    input.focus();
  }
};

const greet = () => config.initialMessages.forEach((text) => show('assistant', text));

const loadSession = async () => {
  try {
    const { data = [] } = await post({ action: 'loadPreviousSession', sessionId: session() });
    for (const { id = [], kwargs = {} } of data)
      show(id.at(-1) === 'HumanMessage' ? 'user' : 'assistant', String(kwargs.content ?? ''));
  } catch {
    // The chat works without its history.
  }
};

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const text = input.value.trim();
  const chosen = [...(files?.files ?? [])];
  if ((text === '' && chosen.length === 0) || send.disabled) return;
  input.value = '';
  if (files !== null) files.value = '';
  void say(text, chosen);
});
input.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  form.requestSubmit();
});
root.querySelector('.new').addEventListener('click', () => {
  stored.set(newSession());
  log.replaceChildren();
  greet();
  input.focus();
});

greet();
if (config.loadsSession) void loadSession();
input.focus();
