import type { ChatTrigger } from '@weft/workflow-edit';
import { useEffect, useRef } from 'react';
import { useLiveRun } from '../../../api/live';
import { Icon } from '../../../ui/icon';
import { CopyButton } from '../../../ui/values/copy';
import { shortId } from '../../../ui/values/format';
import { ChatForm } from './chat-form';
import { ChatMessageView } from './chat-message';
import { changeChat, pendingOf, startChatSession } from './chat-state';
import { useChat, useFollowChat, useHasChat } from './use-chat';
import { usePendingReply } from './use-reply';

/** Characters of an answer that are read out. */
const MAX_READ = 500;

/** Reads out the answer once it is complete: parts of it would be read again and again. */
const Announcer = () => {
  const last = useChat().chat.exchanges.at(-1);
  const asked = usePendingReply()?.messages.at(-1)?.text;
  const text = (last?.outcome?.text ?? asked)?.slice(0, MAX_READ);
  return (
    <p className="sr" role="status">
      {last === undefined ? '' : text === undefined ? 'Message sent' : `Answer: ${text}`}
    </p>
  );
};

const Messages = () => {
  const { chat } = useChat();
  const partial = useLiveRun(pendingOf(chat)?.executionId ?? '').writing?.text ?? '';
  const reply = usePendingReply();
  const list = useRef<HTMLDivElement>(null);
  const { exchanges } = chat;
  // The newest is in view, also while it grows.
  useEffect(() => {
    if (list.current !== null) list.current.scrollTop = list.current.scrollHeight;
  }, [exchanges, partial, reply]);
  return (
    <div ref={list} className="chat-log" role="region" aria-label="Messages" tabIndex={0}>
      {exchanges.length === 0 ? (
        <p className="soft">
          A message runs the workflow as it is on the screen, saved or not. The answer is the output of the last node.
        </p>
      ) : (
        <ol>
          {exchanges.map((exchange) => (
            <ChatMessageView
              key={exchange.id}
              exchange={exchange}
              partial={exchange.outcome === undefined ? partial : ''}
              reply={exchange.outcome === undefined ? reply : undefined}
            />
          ))}
        </ol>
      )}
    </div>
  );
};

const Triggers = ({ triggers, current }: { triggers: readonly ChatTrigger[]; current: string }) => {
  const { store } = useChat();
  return (
    <label className="picker">
      <span className="sr">Chat trigger</span>
      <select value={current} onChange={({ target }) => changeChat(store, { trigger: target.value })}>
        {triggers.map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
};

const Panel = ({ close }: { close: () => void }) => {
  const { store, chat, triggers, trigger } = useChat();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  if (trigger === undefined) return null;
  const { sessionId, exchanges } = chat;
  return (
    <section
      className="ed-chat"
      aria-label="Chat"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        close();
      }}
    >
      <header className="dh">
        <h2 className="grow">Chat</h2>
        {triggers.length > 1 && <Triggers triggers={triggers} current={trigger.name} />}
        <button
          type="button"
          className="btn sm quiet"
          disabled={exchanges.length > 0 && pendingOf(chat) !== undefined}
          onClick={() => {
            startChatSession(store);
            field.current?.focus();
          }}
        >
          <Icon name="plus" size={12} />
          New session
        </button>
        <button type="button" className="btn quiet icon" aria-label="Close the chat" onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      <p className="chat-session faint">
        Session <code title={sessionId}>{shortId(sessionId)}</code>
        <CopyButton text={sessionId} label="Copy the session id" />
      </p>
      <Messages />
      <Announcer />
      <ChatForm trigger={trigger} field={field} />
    </section>
  );
};

const Dock = () => {
  useFollowChat();
  const { store, chat } = useChat();
  const button = useRef<HTMLButtonElement>(null);
  const hasClosed = useRef(false);
  const { isOpen } = chat;
  useEffect(() => {
    if (!isOpen && hasClosed.current) button.current?.focus();
    hasClosed.current = false;
  }, [isOpen]);
  if (isOpen)
    return (
      <Panel
        close={() => {
          hasClosed.current = true;
          changeChat(store, { isOpen: false });
        }}
      />
    );
  return (
    <button
      ref={button}
      type="button"
      className="btn primary ed-chat-open"
      onClick={() => changeChat(store, { isOpen: true })}
    >
      <Icon name="chat" />
      Chat
    </button>
  );
};

/** The chat with a workflow that has a chat trigger: a button below the nodes, or the panel next to them. */
export const ChatDock = () => (useHasChat() ? <Dock /> : null);
