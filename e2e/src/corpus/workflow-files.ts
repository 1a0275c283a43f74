import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type Json } from '@weft/service-kit/json';
import { corpus } from './places';

const FOLDERS = ['n8n-node-tests', 'oracle-probes', 'real-workflows'];
/** Files that belong to a workflow without being one. */
const OTHERS = /(-snapshot|\.expected|_run|mocks)\.json$/;

/** A workflow of the corpus. */
export interface CorpusWorkflow {
  readonly path: string;
  /** As in its file; one within a test case is written again. */
  readonly text: string;
}

const workflowIn = (path: string): CorpusWorkflow[] => {
  const text = readFileSync(join(corpus, path), 'utf8');
  const json: Json = JSON.parse(text);
  if (!isJsonObject(json)) return [];
  if (Array.isArray(json['nodes'])) return [{ path, text: text.replace(/^\ufeff/, '') }];
  const inner = json['workflow'];
  return isJsonObject(inner) && Array.isArray(inner['nodes'])
    ? [{ path, text: JSON.stringify(inner, undefined, 2) }]
    : [];
};

/** Every workflow of the corpus. */
export const corpusWorkflows = (): readonly CorpusWorkflow[] =>
  FOLDERS.flatMap((folder) =>
    readdirSync(join(corpus, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.json') && !OTHERS.test(name))
      .sort()
      .flatMap((name) => workflowIn(join(folder, name))),
  );
