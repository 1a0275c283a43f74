import { type PendingReply, useSendReply } from './use-reply';

/** Characters of a message that are shown; the execution has all of it. */
const MAX_SHOWN = 20_000;

export const shownText = (text: string): string => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)} …` : text);

/** Messages that are shown; the execution has the others. */
const MAX_MESSAGES = 50;

/** What was said in a run after the message that started it, and the buttons of the last message. */
export const ChatReply = ({ reply }: { reply: PendingReply }) => {
  const send = useSendReply();
  const { messages, buttons } = reply;
  const [first, ...others] = messages;
  const said = (first?.author === 'user' ? others : messages).slice(-MAX_MESSAGES);
  return (
    <>
      {said.map(({ author, text }, at) => (
        <div key={at} className={`chat-said${author === 'user' ? ' own' : ''}`}>
          <span className="sr">{author === 'user' ? 'You: ' : 'Answer: '}</span>
          <p>{shownText(text)}</p>
        </div>
      ))}
      {buttons.length > 0 && (
        <p className="acts" role="group" aria-label="Choices">
          {buttons.map(({ label, approves, style }) => (
            <button
              key={String(approves)}
              type="button"
              className={`btn${style === 'primary' ? ' primary' : ''}`}
              disabled={send.isPending || send.isSuccess}
              onClick={() => send.mutate({ approved: approves })}
            >
              {label}
            </button>
          ))}
        </p>
      )}
    </>
  );
};
