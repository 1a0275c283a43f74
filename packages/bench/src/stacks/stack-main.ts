import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Builds the checkout as its own `npm start` does, and runs a stack of it in this process. */
const main = async (checkout: string): Promise<void> => {
  const file = join(checkout, 'packages/local-stack/bin/bootstrap.mjs');
  const { bootstrap }: { bootstrap: (program: string) => Promise<void> } = await import(pathToFileURL(file).href);
  await bootstrap(relative(checkout, join(__dirname, 'serve-stack.js')));
};

void main(process.argv[2] ?? '');
