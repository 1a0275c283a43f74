// Sends messages, and opens the chat.

/** Why a reply was refused because the run has continued. */
const lateText = ({ endsAt = Infinity }) =>
  endsAt <= Date.now()
    ? 'The time for this reply is over. The chat has continued without it.'
    : 'The chat has continued without this reply: it was answered already, perhaps in another window.';

const sayNow = async (text, chosen, choice, waiting) => {
  const reply = wanted;
  const fields = { action: 'sendMessage', sessionId: session(), chatInput: text };
  if (reply !== undefined) {
    const response = await request(choice ?? fields, chosen, reply.path);
    if (response.status === 409) {
      await response.text();
      throw Object.assign(new Error(lateText(reply)), { isLate: true });
    }
    forgetReply();
    return showStream(response, waiting).catch((error) => {
      // The connection was lost: the run has the reply.
      if (error instanceof TypeError) return catchUp();
      throw error;
    });
  }
  storedRun.set('');
  if (config.streams) return showStream(await request(fields, chosen), waiting);
  show('assistant', textOf(await post(fields, chosen)));
};

const say = async (text, chosen, choice) => {
  const own = show('user', [text, ...chosen.map(({ name }) => `📎 ${name}`)].filter((part) => part !== '').join('\n'));
  const waiting = show('assistant', '…');
  const { signal } = conversation;
  setBusy(true);
  try {
    await sayNow(text, chosen, choice, waiting);
    waiting.remove();
  } catch (error) {
    waiting.remove();
    if (signal.aborted) return;
    if (choice === undefined) input.value ||= text;
    if (error.isLate) {
      own.remove();
      forgetReply();
      show('assistant', error.message, true);
      await catchUp();
    } else show('assistant', `${error.message} Send the message again.`, true);
  } finally {
    if (!signal.aborted) {
      setBusy(false);
      focusReply();
    }
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
  conversation.abort();
  conversation = new AbortController();
  stored.set(newSession());
  storedRun.set('');
  forgetReply();
  setBusy(false);
  log.replaceChildren();
  greet();
  input.focus();
});

const open = async () => {
  greet();
  if (config.loadsSession) await loadSession();
  await catchUp();
};

void open();
input.focus();
