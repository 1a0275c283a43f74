import { type BinaryReference, NodeFailure } from '@weft/engine';
import { lookup } from 'mime-types';
import { storeFile as storeBytes } from '../../shared/files/item-files';
import { fileFactsOf } from '../../shared/http/response/file-facts';
import type { AppRun } from '../app-run';
import { valueAtPath } from '../build-call';
import type { PreparedFile } from '../prepare-request';
import type { CallResponse } from '../send-call';
import type { TemplateScope } from '../template-scope';

/** Files by binary field. */
export type StoredFiles = Record<string, BinaryReference>;

/** Name and media type of a file; those that are empty follow from its response. */
export interface FileNames {
  readonly fileName: string | undefined;
  readonly mimeType: string | undefined;
}

/**
 * Stores the response of a step or operation, or the part that is one, as a file under the binary field that the app
 * names.
 * @throws NodeFailure if the response does not have the file
 */
export async function storeFile(
  { from, property, name, type }: PreparedFile,
  response: CallResponse,
  run: AppRun,
  scope: TemplateScope,
): Promise<StoredFiles> {
  const names = { fileName: name?.text(scope), mimeType: type?.text(scope) };
  const reference = await (from === undefined
    ? storeResponse(response, run, names)
    : storePart(from, response, run, names));
  return { [property.text(scope) || 'data']: reference };
}

/** Stores the file at a path of a response, as Base64. */
async function storePart(
  from: string,
  { response, root }: CallResponse,
  { app, context, budget }: AppRun,
  { fileName, mimeType }: FileNames,
): Promise<BinaryReference> {
  const text = valueAtPath(root.body, from);
  if (typeof text !== 'string') throw new NodeFailure(`${app.label} answered without the file.`);
  const reference = await storeBytes(context.ports.files, Buffer.from(text, 'base64'), fileName, mimeType);
  budget.giveBack(response.body.length);
  return reference;
}

/** Stores a response as a file. */
export async function storeResponse(
  { response }: CallResponse,
  run: AppRun,
  names: FileNames,
): Promise<BinaryReference> {
  const facts = fileFactsOf(response);
  const fileName = names.fileName || facts.fileName;
  const byName = names.fileName === undefined || fileName === undefined ? false : lookup(fileName);
  const mimeType = names.mimeType || byName || facts.mimeType;
  const { fileExtension: _extension, ...others } = facts;
  const extension = /\.([A-Za-z0-9]{1,10})$/.exec(fileName ?? '')?.[1] ?? facts.fileExtension;
  const reference = await run.context.ports.files.store(response.body, {
    ...others,
    mimeType,
    ...(fileName === undefined ? {} : { fileName }),
    ...(extension === undefined ? {} : { fileExtension: extension }),
  });
  run.budget.giveBack(response.body.length);
  return reference;
}
