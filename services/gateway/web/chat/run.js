// The chat of a run that waits for replies.

/** The reply that the run waits for: its path, buttons, and whether only those are accepted. */
let wanted;
let look;

const allowText = () => {
  const isBlocked = wanted?.blocksText === true;
  input.disabled = isBlocked;
  input.placeholder = isBlocked ? 'Choose a button above' : placeholder;
  send.disabled = isBlocked || log.getAttribute('aria-busy') === 'true';
};

const setBusy = (isBusy) => {
  log.setAttribute('aria-busy', String(isBusy));
  allowText();
  for (const button of log.querySelectorAll('.choices button')) button.disabled = isBusy;
};

const focusReply = () => (wanted?.blocksText === true ? log.querySelector('.choices button') : input)?.focus();

/** The address of the chat of a run, from that of a reply. */
const runPath = (path) => path.replace(/(\/~chat)\/.*$/, '$1');

/** Forgets the reply that the run waited for. */
const forgetReply = () => {
  wanted = undefined;
  clearTimeout(look);
  log.querySelectorAll('.choices').forEach((choices) => choices.remove());
  allowText();
};

const showButtons = ({ buttons }) => {
  const choices = element('div', undefined, 'choices');
  choices.setAttribute('role', 'group');
  choices.setAttribute('aria-label', 'Choices');
  for (const { label, approves, style } of buttons) {
    const button = choices.appendChild(element('button', label, style === 'secondary' ? '' : 'primary'));
    button.type = 'button';
    button.addEventListener('click', () => void say(label, [], { approved: approves }));
  }
  log.append(choices);
  choices.scrollIntoView({ block: 'end' });
};

/** After the end of the wait the run continues without a reply. */
const lookAfter = (reply) => {
  const ms = Math.max(2_000, reply.endsAt - Date.now() + 1_500);
  if (ms < 2 ** 31) look = setTimeout(() => void catchUp(), ms);
};

const expectReply = (reply) => {
  wanted = reply;
  storedRun.set(runPath(reply.path));
  if (reply.buttons.length > 0) showButtons(reply);
  if (reply.endsAt !== undefined) lookAfter(reply);
  allowText();
};

/** Shows the state of a run. Messages that arrived before are not shown twice. @param live those of a stream */
const showChat = ({ messages, since, reply, isFailed = false, isPaused = false }, live = []) => {
  const news = messages.slice(since);
  const seen = live.filter(({ element: one }) => one !== undefined);
  const isOver = seen.every(({ isOpen }) => !isOpen);
  // Very old messages are left out of the state; parts of a stream may be lost.
  const isComplete =
    isOver && seen.length >= news.length && seen.slice(-news.length).every(({ text }, at) => text === news[at]?.text);
  if (news.length > 0 && !isComplete) {
    seen.forEach(({ element: one }) => one.remove());
    news.forEach(({ author, text }) => show(author, text));
  }
  forgetReply();
  if (reply !== undefined) expectReply(reply);
  if (isPaused) show('assistant', 'The workflow waits for something else before it continues.', true);
  if (isFailed) throw new Error('The workflow failed.');
  if (news.length === 0 && reply === undefined && !isPaused) show('assistant', '(no text)');
};

/** Shows how the last run has continued, after the messages that are shown already. */
const catchUp = async () => {
  const path = storedRun.get();
  if (path === '') return;
  const { signal } = conversation;
  setBusy(true);
  try {
    const response = await fetch(path, {
      credentials: 'omit',
      signal: AbortSignal.any([signal, AbortSignal.timeout(MAX_STREAM_MS)]),
    });
    if (response.status === 404) storedRun.set('');
    if (!response.ok) return;
    for await (const line of linesOf(response.body)) if (line.type === 'chat') showMissing(line);
  } catch {
    // The next message begins a new run.
  } finally {
    if (!signal.aborted) setBusy(false);
  }
};

/** Shows the messages of a run that are not shown yet: those of the memory of the session come first. */
const showMissing = (told) => {
  const shown = [...log.querySelectorAll('.message')].map((message) => [message.dataset.author, message.dataset.text]);
  const missing = told.messages.filter((message) => !takeFrom(shown, message));
  forgetReply();
  missing.forEach(({ author, text }) => show(author, text));
  if (told.reply !== undefined) expectReply(told.reply);
  if (told.isFailed === true) show('assistant', 'The workflow failed.', true);
};

/** Takes the message out of a list. @returns false if it is not there */
const takeFrom = (shown, { author, text }) => {
  const at = shown.findIndex(([one, said]) => one === author && said === text);
  if (at !== -1) shown.splice(0, at + 1);
  return at !== -1;
};
