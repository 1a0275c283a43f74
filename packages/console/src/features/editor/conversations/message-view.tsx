import { Icon } from '../../../ui/icon';
import { isRecord, memberOf } from '../../../ui/values/json';
import { plural } from '../../../ui/values/format';
import { shownText } from '../chat/chat-reply';

/** A message as the memory stored it, made of what a reader needs. */
export interface ShownMessage {
  readonly speaker: 'User' | 'Model' | 'Tool' | 'System';
  readonly text: string;
  /** Names of the functions that the model called. */
  readonly calls: readonly string[];
  /** Number of files in the message. */
  readonly files: number;
}

const SPEAKERS: ReadonlyMap<unknown, ShownMessage['speaker']> = new Map([
  ['user', 'User'],
  ['assistant', 'Model'],
  ['tool', 'Tool'],
  ['system', 'System'],
]);

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Reads a stored message: its content is a string, or a list of parts. A field without meaning counts as absent. */
export const readMessage = (message: unknown): ShownMessage => {
  const content = memberOf(message, 'content');
  const parts = Array.isArray(content) ? content.filter(isRecord) : [];
  const calls = memberOf(message, 'toolCalls');
  const text = parts.length === 0 ? textOf(content) : parts.map((part) => textOf(part['text'])).join('');
  return {
    speaker: SPEAKERS.get(memberOf(message, 'role')) ?? 'System',
    text: shownText(text),
    calls: Array.isArray(calls) ? calls.map((call) => textOf(memberOf(call, 'name'))) : [],
    files: parts.filter(({ type }) => type !== 'text').length,
  };
};

/** One message of a conversation. It is untrusted, and shown as text. */
export const MessageView = ({ message: { speaker, text, calls, files } }: { message: ShownMessage }) => (
  <li className="chat-exchange">
    <div className={`chat-said${speaker === 'User' ? ' own' : ''}`}>
      <p className="faint">{speaker}</p>
      {text !== '' && <p>{text}</p>}
      {files > 0 && (
        <p className="st">
          <Icon name="attach" size={12} />
          {plural(files, 'file')}
        </p>
      )}
      {calls.length > 0 && <p className="soft">Called {calls.join(', ')}</p>}
      {text === '' && files === 0 && calls.length === 0 && <p className="faint">No text</p>}
    </div>
  </li>
);
