import { type NodeExecutor, output } from '@weft/engine';
import { eachItem, madeItem } from '../shared/each-item';
import { runFormatTask } from '../shared/file-formats/run-format-task';
import { loadFile } from '../shared/files/item-files';
import { booleanParameter, textParameter } from '../shared/read-parameter';

/** Reads the text of PDF files. The files of an item are kept. */
export const readPDF: NodeExecutor = {
  kind: 'readPDF',
  actsOutside: false,
  run: async (context) =>
    output(
      await eachItem(context, async (item, index) => {
        const { bytes } = await loadFile(context, index, textParameter(context, 'binaryPropertyName', index) || 'data');
        const isEncrypted = booleanParameter(context, 'encrypted', index);
        const json = await runFormatTask(context, 'readPdf', {
          bytes,
          joinPages: true,
          ...(isEncrypted ? { password: textParameter(context, 'password', index) } : {}),
        });
        return [madeItem(json, item.binary)];
      }),
    ),
};
