// Messages of a chat. Texts of people and models become text nodes, never HTML.

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

/** Characters of a message that are shown, and of one of the user that the state of a chat has. */
const MAX_SHOWN = 100_000;
const MAX_OWN = 10_000;

const show = (who, text, isError = false) => {
  const message = element('div', undefined, `message ${who}${isError ? ' error' : ''}`);
  const shown = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)} …` : text;
  if (!isError) Object.assign(message.dataset, { author: who, text: who === 'user' ? text.slice(0, MAX_OWN) : text });
  message.append(element('span', who === 'user' ? 'You' : 'Assistant', 'who'));
  if (who === 'user') message.append(element('p', shown));
  else appendMarkdown(message, shown);
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
