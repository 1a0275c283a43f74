import type * as Drafts from '@weft/app-model/draft';
import { readFile } from '../files/collect-files';
import { plainJson, plainText } from '../output/plain-text';
import { CommandError, EXIT, type ExitCode } from '../session/exit-code';
import type { Call, CommandSpec } from './command';

/** Loads the code when it is needed: no other command uses it. */
const loadDrafts = (): typeof Drafts => {
  const drafts: typeof Drafts = require('@weft/app-model/draft');
  return drafts;
};

const draft = ({ io, options, print }: Call): ExitCode => {
  const file = options.text('openapi') ?? '-';
  const { DraftError, MAX_JSON_BYTES, openDraft } = loadDrafts();
  try {
    const source = openDraft(plainText(file), file === '-' ? io.readAll() : readFile(file, MAX_JSON_BYTES));
    if (options.isSet('list')) {
      print.list(
        source.operations.map(({ id, method, path, summary }) => ({ id, method, path, summary })),
        ['id', 'method', 'path', 'summary'],
      );
      return EXIT.success;
    }
    const { yaml, document } = source.draft(options.list('operation'), {
      name: options.text('name'),
      kind: options.text('kind'),
    });
    io.out(options.text('output') === 'json' ? `${plainJson(document, 2)}\n` : yaml);
    return EXIT.success;
  } catch (error) {
    if (error instanceof DraftError) throw new CommandError(plainText(error.message), EXIT.usage);
    throw error;
  }
};

export const APP_DRAFT_COMMAND: CommandSpec = {
  path: 'app draft',
  summary: 'Draft an app file from an OpenAPI document, without an instance',
  options: [
    { flags: '--openapi FILE', description: 'OpenAPI 3 or Swagger 2, JSON or YAML; - for stdin', required: true },
    { flags: '--operation ID', description: 'operation to draft: its operationId, or "METHOD /path"', repeats: true },
    { flags: '--list', description: 'list the operations of the document' },
    { flags: '--name NAME', description: 'name of the app; default: from the title of the document' },
    { flags: '--kind TYPE', description: 'type of the node; default: the name of the app' },
  ],
  run: draft,
};
