import type { Locator } from 'playwright-core';
import { until } from '../until';
import type { ConsolePage } from './console-page';

/**
 * Returns the problem with the focus, or an empty string. The content of a page or panel may have the focus
 * without showing a ring.
 */
const FOCUS_FAULT = `(() => {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  if (element === null || element === document.body) return 'no element has the focus';
  const name = element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 60);
  const what = element.tagName.toLowerCase() + ' “' + name + '”';
  const { left, right, top, bottom } = element.getBoundingClientRect();
  if (right <= 0 || bottom <= 0 || left >= innerWidth || top >= innerHeight) return what + ' is out of view';
  const hasRing = (one) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one);
    return (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
  };
  for (let one = element, level = 0; one !== null && level < 8; level += 1) {
    if (hasRing(one) || one.tabIndex === -1 && level === 0) return '';
    one = one.parentElement ?? one.getRootNode().host ?? null;
  }
  return what + ' shows no ring';
})()`;

/** Elements between two that a user reaches with Tab. */
const MAX_TABS = 60;

/** A user who has no mouse: every key needs a focus that can be seen. */
export interface Keyboard {
  /** Presses keys one after another, such as `Tab` or `Control+Enter`. */
  readonly press: (...keys: readonly string[]) => Promise<void>;
  /** Types into the field that has the focus. */
  readonly type: (text: string) => Promise<void>;
  /** Presses Tab until the element has the focus. @throws Error if it never does */
  readonly tabTo: (target: Locator, key?: 'Tab' | 'Shift+Tab') => Promise<void>;
  /** Waits until the element has the focus. @throws Error if it does not get it */
  readonly onFocus: (target: Locator) => Promise<void>;
  /** Keys that were pressed, with those of typed text. */
  readonly count: () => number;
}

/** Gives a page to a user without a mouse. A focus that is lost, out of view or invisible is a fault of the page. */
export const keyboardOf = ({ page, faults, evaluate }: ConsolePage): Keyboard => {
  let pressed = 0;
  const checkFocus = async (before: string): Promise<void> => {
    const fault = await evaluate(FOCUS_FAULT);
    if (fault !== '') faults.push(`focus, before ${before}: ${String(fault)}`);
  };
  const hasFocus = async (target: Locator): Promise<boolean> =>
    (await target.and(page.locator(':focus, :focus-within')).count()) > 0;
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) {
      await checkFocus(key);
      await page.keyboard.press(key);
      pressed += 1;
    }
  };
  return {
    press,
    type: async (text) => {
      await checkFocus(`typing ${text}`);
      await page.keyboard.type(text, { delay: 10 });
      pressed += text.length;
    },
    tabTo: async (target, key = 'Tab') => {
      await target.waitFor();
      for (let tabs = 0; tabs < MAX_TABS; tabs += 1) {
        if (await hasFocus(target)) return;
        await press(key);
      }
      throw new Error(`${MAX_TABS} times ${key} do not reach ${String(target)}.`);
    },
    onFocus: (target) =>
      until(
        `the focus is on ${String(target)}`,
        async () => ((await hasFocus(target)) ? true : undefined),
        10_000,
      ).then(() => undefined),
    count: () => pressed,
  };
};
