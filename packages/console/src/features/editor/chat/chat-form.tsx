import type { ChatTrigger } from '@weft/workflow-edit';
import { type KeyboardEvent, type RefObject, useRef, useState } from 'react';
import { Icon } from '../../../ui/icon';
import { notify } from '../../../ui/overlays/toast';
import { errorText } from '../../../ui/values/format';
import { newId } from '../../../ui/values/new-id';
import { acceptOf, filesObstacle, readChatFiles } from './chat-files';
import { pendingOf } from './chat-state';
import { useChat, useSendMessage, useStopMessage } from './use-chat';
import { usePendingReply, useSendReply } from './use-reply';

/** Characters of a message. */
const MAX_TEXT = 100_000;

const ChosenFiles = ({ files, remove }: { files: readonly File[]; remove: (at: number) => void }) => (
  <ul className="chat-files" aria-label="Files to send">
    {files.map(({ name }, at) => (
      <li key={at} className="tag">
        <Icon name="attach" size={12} />
        <span className="clip">{name}</span>
        <button type="button" className="btn quiet icon tiny" aria-label={`Remove ${name}`} onClick={() => remove(at)}>
          <Icon name="close" size={12} />
        </button>
      </li>
    ))}
  </ul>
);

/** Chooses files that the trigger takes. */
const Attach = ({ types, add }: { types: string; add: (files: readonly File[]) => void }) => {
  const field = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={field}
        type="file"
        multiple
        hidden
        accept={acceptOf(types)}
        aria-label="Files"
        onChange={({ target }) => {
          add([...(target.files ?? [])]);
          target.value = '';
        }}
      />
      <button type="button" className="btn icon" aria-label="Attach files" onClick={() => field.current?.click()}>
        <Icon name="attach" />
      </button>
    </>
  );
};

/** Writes a message: Enter sends it, Shift Enter begins a line, the arrow up brings the last message back. */
export const ChatForm = ({
  trigger,
  field,
}: {
  trigger: ChatTrigger;
  field: RefObject<HTMLTextAreaElement | null>;
}) => {
  const { chat } = useChat();
  const [text, setText] = useState('');
  const [files, setFiles] = useState<readonly File[]>([]);
  const send = useSendMessage();
  const stop = useStopMessage();
  const reply = usePendingReply();
  const answer = useSendReply();
  const pending = pendingOf(chat);
  const last = chat.exchanges.at(-1)?.text ?? '';
  const isEmpty = text.trim() === '' && files.length === 0;
  const isBlocked = reply?.blocksText === true;
  const isBusy = reply === undefined ? pending !== undefined : isBlocked || answer.isPending;
  const submit = async (): Promise<void> => {
    if (isEmpty || isBusy) return;
    if (reply !== undefined) {
      answer.mutate({ text: text.trim() }, { onSuccess: () => setText('') });
      return;
    }
    try {
      const read = await readChatFiles(files);
      setText('');
      setFiles([]);
      send.mutate({ id: newId(), text: text.trim(), files: read });
    } catch (error) {
      notify('Could not read the files', 'error', errorText(error));
    }
  };
  const add = (added: readonly File[]): void => {
    const all = [...files, ...added];
    const obstacle = filesObstacle(all);
    if (obstacle === undefined) setFiles(all);
    else notify('Cannot attach these files', 'error', obstacle);
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      // Ctrl Enter runs the workflow from elsewhere in the editor; here it sends the message.
      event.stopPropagation();
      event.nativeEvent.stopImmediatePropagation();
      void submit();
    } else if (event.key === 'ArrowUp' && text === '' && last !== '') {
      event.preventDefault();
      setText(last);
    }
  };
  return (
    <form
      className="chat-form"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {files.length > 0 && (
        <ChosenFiles files={files} remove={(at) => setFiles(files.filter((_, other) => other !== at))} />
      )}
      <textarea
        ref={field}
        className="tarea"
        rows={2}
        aria-label="Message"
        maxLength={MAX_TEXT}
        placeholder={isBlocked ? 'Choose a button above' : (trigger.placeholder ?? 'Type a message')}
        disabled={isBlocked}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="line">
        {trigger.takesFiles && reply === undefined && <Attach types={trigger.fileTypes} add={add} />}
        <span className="faint grow only-wide">Enter sends, Shift Enter begins a line</span>
        <span className="grow only-narrow" />
        {pending?.executionId !== undefined && (
          <button
            type="button"
            className="btn"
            aria-label="Stop the run"
            disabled={stop.isPending}
            onClick={() => {
              if (pending.executionId !== undefined) stop.mutate(pending.executionId);
              field.current?.focus();
            }}
          >
            <Icon name="stop" />
            Stop
          </button>
        )}
        {(pending?.executionId === undefined || (reply !== undefined && !isBlocked)) && (
          <button
            type="submit"
            className="btn primary"
            aria-disabled={isEmpty || isBusy}
            aria-label={reply === undefined ? 'Send the message' : 'Send the reply'}
          >
            <Icon name="send" />
            Send
          </button>
        )}
      </div>
    </form>
  );
};
