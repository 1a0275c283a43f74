import { type Item, type NodeContext, NodeFailure } from '@weft/engine';
import { codeFailure, codePlace } from '../code/code-failure';
import { InputFiles } from '../code/input-files';
import { runInSandbox } from '../code/run-in-sandbox';

/**
 * Items sorted by the node's code, which compares two of them as `a` and `b`. It runs in the sandbox and returns only
 * the order, so code cannot change the items.
 * @throws NodeFailure if the code returns nothing, fails, or is terminated
 */
export async function sortByCode(context: NodeContext, items: readonly Item[]): Promise<Item[]> {
  const code = context.rawParameter('code');
  if (typeof code !== 'string' || !/\breturn\b/.test(code)) {
    throw new NodeFailure("Sort code doesn't return. Please add a 'return' statement to your code", {
      description: 'Return a negative number if `a` comes first, a positive one if `b` does, else 0.',
    });
  }
  const report = await runInSandbox(
    context,
    comparing(code, items.length),
    { style: 'code', perItem: false },
    new InputFiles(context.ports.files),
  );
  if (report.error !== undefined) throw codeFailure(report.error, codePlace);
  return inOrder(items, report.value?.value);
}

/** On a single line with the start of the user's code, so that error lines are those of the user's code. */
function comparing(code: string, count: number): string {
  const body =
    `const items = $input.all().slice(0, ${count}); return items.map((item, index) => index).sort((a, b) => ` +
    'compare(items[a], items[b]));';
  return `return ((compare) => { ${body} })(function (a, b) {${code}\n})`;
}

/** The code can forge the order: anything but each index once is rejected. */
function inOrder(items: readonly Item[], order: unknown): Item[] {
  const positions = new Set<unknown>(Array.isArray(order) ? order : []);
  const sorted = [...positions]
    .map((position) => (typeof position === 'number' ? items[position] : undefined))
    .filter((item) => item !== undefined);
  if (sorted.length !== items.length)
    throw new NodeFailure('The sort code does not compare two items', {
      description: 'Write the body of a function that compares `a` with `b` and returns a number.',
    });
  return sorted;
}
