import {
  booleanField,
  isJsonObject,
  kindNameOf,
  objectField,
  textField,
  type Json,
  type JsonObject,
  type WorkflowDefinition,
} from '@weft/node-catalogue/definitions';

const CHAT_KIND = 'langchain.chatTrigger';

/** A trigger that starts the workflow with the message of a chat. */
export interface ChatTrigger {
  readonly name: string;
  /** Shown in the empty field of the message; undefined if none is set. */
  readonly placeholder: string | undefined;
  readonly takesFiles: boolean;
  /** Types of files that it takes, such as `image/*,application/pdf`; `*` for all. */
  readonly fileTypes: string;
}

/** The enabled chat triggers, in the order of the definition. */
export function chatTriggersOf({ nodes }: Pick<WorkflowDefinition, 'nodes'>): ChatTrigger[] {
  return nodes
    .filter(({ type, disabled }) => disabled !== true && kindNameOf(type) === CHAT_KIND)
    .map(({ name, parameters }) => {
      const options = objectField(parameters, 'options') ?? {};
      return {
        name,
        placeholder: textField(options, 'inputPlaceholder'),
        takesFiles: booleanField(options, 'allowFileUploads') ?? false,
        fileTypes: textField(options, 'allowedFilesMimeTypes') ?? '*',
      };
    });
}

/** A file that is sent with a message. */
export interface ChatFile {
  readonly name: string;
  /** Media type; empty if the browser does not know it. */
  readonly type: string;
  /** Base64. */
  readonly data: string;
}

/** A message of a user to a chat. */
export interface ChatMessage {
  readonly sessionId: string;
  readonly text: string;
  readonly files: readonly ChatFile[];
}

/** A run of a draft that begins with a message. */
export interface ChatRun {
  readonly definition: JsonObject;
  readonly startNode: string;
  readonly data: JsonObject;
}

/**
 * The run of a draft that a message starts, as the page of the chat starts the active version. Pins of the trigger are
 * left out, as they would replace the message. Files are sent as a pin, named as those of the page: `files`, or
 * `files0`, `files1` and so on.
 */
export function runOfMessage(draft: JsonObject, trigger: string, { sessionId, text, files }: ChatMessage): ChatRun {
  const data = { sessionId, action: 'sendMessage', chatInput: text };
  const { pinData, ...rest } = draft;
  const { [trigger]: _replaced, ...pins } = isJsonObject(pinData) ? pinData : {};
  if (files.length > 0) pins[trigger] = [{ json: data, binary: binaryOf(files) }];
  return { definition: { ...rest, pinData: pins }, startNode: trigger, data };
}

function binaryOf(files: readonly ChatFile[]): JsonObject {
  return Object.fromEntries(
    files.map(({ name, type, data }, at) => {
      const extension = /\.([a-z\d]{1,10})$/iu.exec(name)?.[1];
      const file = { data, mimeType: type === '' ? 'application/octet-stream' : type, fileName: name };
      const key = files.length === 1 ? 'files' : `files${at}`;
      return [key, extension === undefined ? file : { ...file, fileExtension: extension }];
    }),
  );
}

/** Fields of an item that agents, chains and chats give the text of an answer. */
const TEXT_FIELDS = ['output', 'text', 'message', 'response'] as const;

/** True for the output of a node that sends messages to chats, which has no other fields. */
const isMessage = (json: Json): boolean =>
  isJsonObject(json) && json['action'] === 'sendMessage' && Object.keys(json).length === 3;

/** The text of an answer, as the page of a chat shows it: a field that holds one, or else the item as JSON. */
export function answerOf(json: Json): string {
  if (typeof json === 'string') return json;
  const [text] = TEXT_FIELDS.map((name) => textField(json, name)).filter((value) => value !== undefined);
  if (text !== undefined) return text;
  const message = isMessage(json) ? textField(json, 'chatInput') : undefined;
  if (message !== undefined) return message;
  const shown = (isJsonObject(json) ? json['output'] : undefined) ?? json;
  return isJsonObject(shown) && Object.keys(shown).length === 0 ? '' : JSON.stringify(shown, undefined, 2);
}
