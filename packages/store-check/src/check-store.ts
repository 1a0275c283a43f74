import { runAsCommand, StackError } from '@weft/local-stack';
import { tableOf, outcomeOf, withoutPassword } from './report';
import { runChecks } from './run-checks';

const check = async (uri: string): Promise<number> => {
  process.stdout.write(`Checking ${withoutPassword(uri)}. It creates databases named weft_check_… and drops them.\n`);
  const results = await runChecks(uri).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StackError(`${withoutPassword(uri)} cannot be used: ${reason.replaceAll(uri, withoutPassword(uri))}`);
  });
  const { isUsable, sentence } = outcomeOf(results);
  process.stdout.write(`${tableOf(results)}\n\n${sentence}\n`);
  process.stdout.write('Weft uses no transactions, sessions or change streams.\n');
  return isUsable ? 0 : 1;
};

/** `npm run check:store -- URI`: whether Weft can keep its data on a MongoDB-compatible server. */
runAsCommand(async ({ interrupted }) => {
  const uri = process.argv[2];
  if (uri === undefined || !/^mongodb(\+srv)?:\/\//.test(uri))
    throw new StackError('Name the server: npm run check:store -- mongodb://HOST:27017');
  return Promise.race([check(uri), interrupted]);
});
