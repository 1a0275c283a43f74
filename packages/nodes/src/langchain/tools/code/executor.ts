import { type Json, toolName } from '@weft/node-catalogue';
import { type NodeContext, type NodeExecutor, NodeFailure } from '@weft/engine';
import { codeFailure, codePlace } from '../../../code/code-failure';
import { InputFiles } from '../../../code/input-files';
import { keepsStaticData } from '../../../code/open-static-data';
import { runInSandbox } from '../../../code/run-in-sandbox';
import { choiceParameter, textParameter } from '../../../shared/read-parameter';
import { checkedInput, respondToEach } from '../input-tool';
import { inputSchema, specifiesSchema } from '../input-schema';

/** Runs the user's code with the input of a model. */
export const toolCode: NodeExecutor = {
  kind: 'langchain.toolCode',
  actsOutside: keepsStaticData,
  supplies: {
    ai_tool: (context) => ({
      functions: [
        {
          name: nameOf(context, context.itemIndex),
          description: textParameter(context, 'description', context.itemIndex),
          parameters: inputSchema(context, context.itemIndex, context.version >= 1.3),
        },
      ],
    }),
  },
  run: (context) => respondToEach(context, (index) => runCode(context, index)),
};

/** The name of the function, which services take only with certain characters. */
function nameOf(context: NodeContext, itemIndex: number): string {
  const given = context.version <= 1.1 ? textParameter(context, 'name', itemIndex) : '';
  return toolName(given) || toolName(context.node.name) || 'code';
}

async function runCode(context: NodeContext, itemIndex: number): Promise<string> {
  const language = choiceParameter(context, 'language', itemIndex, ['javaScript', 'python'], 'javaScript');
  const schema = inputSchema(context, itemIndex, context.version >= 1.3);
  const input = checkedInput(context, itemIndex, schema);
  const query: Json = specifiesSchema(context, itemIndex) ? input : (input['input'] ?? '');
  const style = language === 'javaScript' ? 'code' : 'python';
  const code = codeOf(context, language === 'javaScript' ? 'jsCode' : 'pythonCode');
  const files = new InputFiles(context.ports.files);
  const report = await runInSandbox(context, code, { style, perItem: false, variables: { query } }, files);
  if (report.error !== undefined) throw codeFailure(report.error, codePlace, itemIndex);
  const { type = 'undefined', value } = report.value ?? {};
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  const given = value === undefined || value === null ? 'nothing' : `a value of type ${type}`;
  throw new NodeFailure(`The code of the tool returned ${given}, not text`, {
    itemIndex,
    description: 'Return a text or a number; JSON.stringify() makes text of an object.',
  });
}

/** The code as saved: expressions in it are not resolved, because they would insert data into code. */
function codeOf(context: NodeContext, name: 'jsCode' | 'pythonCode'): string {
  const text = context.rawParameter(name);
  if (typeof text === 'string') return text.replace(/^=/, '');
  throw new NodeFailure('The node has no code', { description: `Set the parameter \`${name}\`.` });
}
