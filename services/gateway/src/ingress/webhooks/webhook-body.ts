import type { WebhookSettings } from '@weft/proto/channels';
import { InvalidRequest } from '@weft/service-kit/errors';
import { JSON_LIMITS, parseLongJson, turnsOf, type TurnsOf, withoutBom } from '@weft/service-kit/json';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse } from 'node:querystring';
import { inBody, renamingFields } from '../../http/rename-fields';
import { hasBody } from '../../middleware/responses/drain';
import { checkBodyLength, checkSender, type ReadBody } from '../../middleware/bodies/read-body';
import { checkCodings, decodePieces } from '../../uploads/decode-pieces';
import { type ItemFiles, type Multipart, nameFiles, readMultipart } from '../../uploads/read-multipart';
import type { VerifyBody } from './check-caller';
import type { StoreFile, UploadGate } from '../../uploads/store-file';

/** File settings of a node. */
export type FileRules = Pick<WebhookSettings, 'wholeBody' | 'rawBody' | 'fileProperty'>;

/** A body as stored in an item. */
export interface WebhookBody {
  /** JSON text. */
  readonly json: string;
  readonly files: ItemFiles;
}

/** Dependencies of reading a body. */
export interface BodyIntake {
  readonly readBody: ReadBody;
  readonly gate: UploadGate;
  readonly storeFile: StoreFile;
  /** Workflow and owner whose share of the thread the parsing of a long body uses. */
  readonly owner: TurnsOf;
  /** Present if the caller is admitted only by the raw body: the whole body is then read before it is used. */
  readonly verifyBody?: VerifyBody | undefined;
}

/** The item contains the body four levels deep, and has the same limit in total. */
const LIMITS = { ...JSON_LIMITS, maxDepth: JSON_LIMITS.maxDepth - 4, refuseProto: false };
const MAX_FORM_FIELDS = 10_000;

const typeError = (type: string): InvalidRequest =>
  new InvalidRequest(
    `A body of type ${type.slice(0, 100)} is not taken: send JSON, a form, XML or text. Version 1 of the ` +
      'webhook node takes files only if that is set.',
    [
      {
        field: 'Content-Type',
        message:
          'Use application/json, multipart/form-data, application/x-www-form-urlencoded, application/xml or ' +
          'text/plain.',
      },
    ],
  );

const charsetOf = (parameters: string): string => /charset\s*=\s*"?([\w.:-]+)/i.exec(parameters)?.[1] ?? 'utf-8';

const isUtf8Charset = (parameters: string): boolean => /^utf-?8$/i.test(charsetOf(parameters));

const decode = (bytes: Buffer, parameters: string): string => {
  const charset = charsetOf(parameters);
  if (isUtf8Charset(parameters)) return bytes.toString('utf8');
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    throw new InvalidRequest(`The charset ${charset.slice(0, 50)} is not known: send the body in UTF-8.`);
  }
};

/** JSON text is passed on unchanged: numbers keep all digits, and a key such as __proto__ stays a key. */
const checkedJson = async (bytes: Buffer, parameters: string, owner: TurnsOf): Promise<string> => {
  const text = withoutBom(isUtf8Charset(parameters) ? bytes : Buffer.from(decode(bytes, parameters)));
  await renamingFields(inBody, () => parseLongJson(text, turnsOf(owner), LIMITS));
  return text.toString('utf8');
};

const formJson = (text: string): string => {
  let fields = 1;
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) fields += 1;
  if (fields > MAX_FORM_FIELDS) throw new InvalidRequest(`A form can have ${MAX_FORM_FIELDS} fields at most.`);
  return JSON.stringify(parse(text, '&', '=', { maxKeys: 0 }));
};

const isText = (type: string): boolean =>
  type === '' || type.startsWith('text/') || type === 'application/xml' || type.endsWith('+xml');

/** Form fields by their names as sent: a string, or a list if the name is repeated. */
const fieldsJson = (fields: Multipart['fields']): string => {
  const values = new Map<string, string | string[]>();
  for (const [name, value] of fields) {
    const known = values.get(name);
    values.set(name, known === undefined ? value : [...(Array.isArray(known) ? known : [known]), value]);
  }
  return JSON.stringify(Object.fromEntries(values));
};

const FILE_NAME = /(?:^|;)\s*filename\s*=\s*(?:"([^"]*)"|([^;"\s]+))/i;

/** File name given by the sender for the body; empty if there is none. */
const statedName = (request: IncomingMessage): string => {
  const found = FILE_NAME.exec((request.headers['content-disposition'] ?? '').slice(0, 1_000));
  return found?.[1] ?? found?.[2] ?? '';
};

const asFile = async (
  request: IncomingMessage,
  response: ServerResponse,
  { gate, storeFile }: BodyIntake,
  name: string,
): Promise<WebhookBody> => {
  if (request.headers.expect !== undefined) response.writeContinue();
  const reference = await gate(() =>
    storeFile(
      { mimeType: request.headers['content-type'] ?? '', fileName: statedName(request) },
      decodePieces(request, response),
    ),
  );
  return { json: '{}', files: { [name]: reference } };
};

const asParts = async (
  request: IncomingMessage,
  response: ServerResponse,
  { gate, storeFile, readBody }: BodyIntake,
  prefix: string,
): Promise<WebhookBody> => {
  const hold = readBody.hold(request, response);
  const { fields, files } = await gate(() => readMultipart(request, response, { store: storeFile, hold }));
  return { json: fieldsJson(fields), files: nameFiles(files, prefix) };
};

const textJson = async (bytes: Buffer, { type, parameters }: ContentType, owner: TurnsOf): Promise<string> => {
  if (isJson(type)) return checkedJson(bytes, parameters, owner);
  const text = decode(bytes, parameters);
  return isForm(type) ? formJson(text) : JSON.stringify(text);
};

const isJson = (type: string): boolean => type === 'application/json' || type.endsWith('+json');
const isForm = (type: string): boolean => type === 'application/x-www-form-urlencoded';
const isReadable = (type: string): boolean => isJson(type) || isForm(type) || isText(type);

interface ContentType {
  /** In lower case, without its parameters. */
  readonly type: string;
  readonly parameters: string;
}

const contentTypeOf = (request: IncomingMessage): ContentType => {
  const [named = '', ...parameters] = (request.headers['content-type'] ?? '').split(';');
  return { type: named.trim().toLowerCase(), parameters: parameters.join(';') };
};

/** Name of the file of a whole body in the item. */
const propertyOf = ({ fileProperty }: FileRules): string => (fileProperty === '' ? 'data' : fileProperty);

/**
 * Reads the body of a webhook request by its content type, decompressed, and stores its files. All limits hold for the
 * decompressed body.
 * @returns JSON text: the JSON itself, a form as an object (repeated fields as lists), other text as a string, `{}` if
 * there is none
 * @throws InvalidRequest; PayloadTooLarge; RequestAborted; Unavailable
 */
export const readWebhookBody = async (
  request: IncomingMessage,
  response: ServerResponse,
  intake: BodyIntake,
  rules: FileRules,
): Promise<WebhookBody> => {
  if (intake.verifyBody !== undefined)
    return readSigned(request, response, { ...intake, verify: intake.verifyBody }, rules);
  if (!hasBody(request)) return { json: '{}', files: {} };
  checkSender(request);
  checkCodings(request);
  const content = contentTypeOf(request);
  const { type } = content;
  const property = propertyOf(rules);
  if (rules.wholeBody === 'always') return asFile(request, response, intake, property);
  if (type === 'multipart/form-data') return asParts(request, response, intake, rules.fileProperty);
  if (!isReadable(type) && rules.wholeBody === 'other') return asFile(request, response, intake, property);
  checkBodyLength(request);
  if (!isReadable(type)) throw typeError(type);
  return intake.readBody(request, response, (bytes) => parsedBody(bytes, content, intake, rules));
};

/** A parsed body from memory, with the raw bytes as a file if configured in the node. */
const parsedBody = async (
  bytes: Buffer,
  content: ContentType,
  intake: BodyIntake,
  rules: FileRules,
): Promise<WebhookBody> => {
  const json = bytes.length === 0 ? '{}' : await textJson(bytes, content, intake.owner);
  return { json, files: rules.rawBody ? await rawFile(bytes, content.type, intake, rules) : {} };
};

const rawFile = async (
  bytes: Buffer,
  type: string,
  { gate, storeFile }: BodyIntake,
  rules: FileRules,
): Promise<ItemFiles> => {
  const mimeType = type === '' ? 'application/json' : type;
  const stored = await gate(() => storeFile({ mimeType, fileName: '' }, piecesOf(bytes)));
  return { [propertyOf(rules)]: stored };
};

/**
 * Reads a signed body completely, up to the limit of JSON bodies, whatever its type. Senders sign a body before they
 * compress it.
 */
const readSigned = async (
  request: IncomingMessage,
  response: ServerResponse,
  { verify, ...intake }: BodyIntake & { readonly verify: VerifyBody },
  rules: FileRules,
): Promise<WebhookBody> => {
  const content = contentTypeOf(request);
  if (content.type === 'multipart/form-data')
    throw new InvalidRequest('A signed request cannot have files: send JSON, a form or text.');
  checkCodings(request);
  checkBodyLength(request);
  const use = async (bytes: Buffer): Promise<WebhookBody> => {
    await verify(bytes);
    const asRaw = rules.wholeBody === 'always' || (!isReadable(content.type) && rules.wholeBody === 'other');
    if (asRaw && bytes.length > 0) return { json: '{}', files: await rawFile(bytes, content.type, intake, rules) };
    if (!isReadable(content.type)) throw typeError(content.type);
    return parsedBody(bytes, content, intake, rules);
  };
  return hasBody(request) ? intake.readBody(request, response, use) : use(Buffer.alloc(0));
};

const PIECE_BYTES = 65_536;

async function* piecesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += PIECE_BYTES) yield bytes.subarray(from, from + PIECE_BYTES);
}
