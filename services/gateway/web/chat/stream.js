// Requests of a chat, and their responses in lines of JSON.

const parsed = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const failureOf = (status, answer) =>
  new Error(answer?.error?.message ?? answer?.message ?? `The chat answered ${status}.`);

const request = async (fields, chosen = [], path = location.pathname) => {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  chosen.forEach((file) => body.append('files', file));
  return fetch(path, {
    method: 'POST',
    credentials: config.isGuarded ? 'same-origin' : 'omit',
    signal: AbortSignal.any([conversation.signal, AbortSignal.timeout(config.streams ? MAX_STREAM_MS : MAX_WAIT_MS)]),
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
  for await (const line of linesOf(response.body)) {
    const { type, content = '', metadata = {} } = line;
    if (type === 'chat') return showChat(line, [...messages.values()]);
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
      message.element.dataset.text = message.text;
      appendMarkdown(message.element, message.text);
    }
    if (type === 'error') failure = new Error(content === '' ? 'The workflow failed.' : `${content}.`);
  }
  if (failure !== undefined) throw failure;
  if ([...messages.values()].every(({ text }) => text === '')) show('assistant', '(no text)');
};
