import type { Stack } from '@weft/local-stack';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

/** Saves a picture of the whole page with the logs of the stack. */
export const picture = async (of: Page, { dataDir }: Pick<Stack, 'dataDir'>, name: string): Promise<void> => {
  const folder = join(dataDir, 'logs', 'pictures');
  mkdirSync(folder, { recursive: true });
  await of.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
};
