import type { Stack } from '@weft/local-stack';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

/** Widths of a desktop and of a telephone. */
const WIDTHS = [1280, 390];

/** Saves a picture of the whole page with the logs of the stack. */
export const picture = async (of: Page, { dataDir }: Pick<Stack, 'dataDir'>, name: string): Promise<void> => {
  const folder = join(dataDir, 'logs', 'pictures');
  mkdirSync(folder, { recursive: true });
  await of.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
};

/** Saves pictures of the page at both widths, light and dark. Leaves it at the width of a desktop. */
export const pictures = async (of: Page, stack: Pick<Stack, 'dataDir'>, name: string): Promise<void> => {
  for (const width of WIDTHS)
    for (const colorScheme of ['light', 'dark'] as const) {
      await of.setViewportSize({ width, height: 800 });
      await of.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await of.waitForTimeout(300);
      await picture(of, stack, `${name}-${width}-${colorScheme}`);
    }
  await of.setViewportSize({ width: 1280, height: 800 });
};
