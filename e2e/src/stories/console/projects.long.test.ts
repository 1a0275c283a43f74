import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../../support/browser/chromium';
import {
  openConsole,
  pressInDialog,
  rowOf,
  signInAs,
  signInToConsole,
  told,
  type ConsolePage,
} from '../../support/browser/console-page';
import { picture } from '../../support/browser/picture';
import { makeUser, USER_PASSWORD } from '../../support/users';

const MEMBER = 'console-member@users.invalid';
const NAME = 'Sales & <b>more</b>, in the console';

describe('projects in the console', () => {
  let stack: Stack;
  let browser: Browser;
  let at: ConsolePage;
  let base = '';

  const openProject = async (of: ConsolePage): Promise<void> => {
    await of.open('/projects', 'Projects');
    await of.page.getByRole('link', { name: NAME }).click();
    await of.page.getByRole('heading', { name: NAME, level: 1 }).waitFor();
  };
  const act = async (of: ConsolePage, action: string): Promise<void> => {
    await of.page.getByRole('button', { name: 'Actions' }).click();
    await of.page.getByRole('menuitem', { name: action }).click();
  };
  const roleOf = (of: ConsolePage) => of.page.getByLabel(`Role of ${MEMBER} in ${NAME}`);

  beforeAll(async () => {
    stack = await borrowStack();
    base = stack.baseUrls[0] ?? '';
    await makeUser(stack, 'console-member', 'editor');
    browser = await launchChromium();
    at = await openConsole(browser, base);
    await at.page.goto(base);
    await signInToConsole(at, stack);
    await at.page.getByRole('link', { name: 'Projects' }).click();
  });
  afterAll(async () => {
    await browser?.close();
    await giveStackBack(stack);
  });
  afterEach(() => expect(at.faults).toEqual([]));

  it('are created by an owner, and their text stays text', async () => {
    await at.page.getByRole('button', { name: /^New/ }).first().click();
    await at.page.getByRole('dialog').getByLabel('Name').fill(NAME);
    await at.checkAccess('new project');
    await pressInDialog(at.page, 'Create');
    await told(at.page, 'was created');
    // The next step is to add members.
    await at.page.getByRole('heading', { name: NAME, level: 1 }).waitFor();
    await at.page.getByRole('link', { name: 'Projects', exact: true }).click();
    await rowOf(at.page, NAME).getByText('all users').waitFor();
    await at.checkAccess('projects');
  });

  it('are closed and opened after a question', async () => {
    await openProject(at);
    await act(at, 'Close to others');
    await pressInDialog(at.page, 'Close the project');
    await at.page.getByText('Closed: only members').waitFor();
    await act(at, 'Open to all users');
    await pressInDialog(at.page, 'Open');
    await at.page.getByText('Open: all users').waitFor();
  });

  it('get members, whose role the owner changes', async () => {
    await at.page.getByRole('button', { name: 'Add' }).click();
    await at.page.getByLabel('Email of a user').fill('nobody@users.invalid');
    await pressInDialog(at.page, 'Add');
    await at.page.getByRole('dialog').getByText('No user has the email').waitFor();
    await at.page.getByLabel('Email of a user').fill(MEMBER);
    await pressInDialog(at.page, 'Add');
    await roleOf(at).selectOption('admin');
    await told(at.page, 'now has the role admin');
    await at.checkAccess('project');
    await picture(at.page, stack, 'console-project');
  });

  it('are managed by a member who is their admin, and who neither creates nor deletes any', async () => {
    const member = await openConsole(browser, base);
    await member.page.goto(base);
    await signInAs(member, MEMBER, USER_PASSWORD);
    await member.page.getByRole('heading', { name: 'Overview' }).waitFor();
    await openProject(member);
    expect(await member.page.getByRole('button', { name: /^New/ }).count()).toBe(0);
    await member.page.getByRole('button', { name: 'Actions' }).click();
    await member.page.getByRole('menuitem', { name: 'Rename' }).waitFor();
    expect(await member.page.getByRole('menuitem', { name: 'Delete' }).count()).toBe(0);
    await member.page.keyboard.press('Escape');
    await roleOf(member).selectOption('editor');
    await told(member.page, 'now has the role editor');
    // The member is no longer its admin, and cannot become it again.
    await roleOf(member).waitFor({ state: 'detached' });
    expect(member.faults).toEqual([]);
    await member.page.context().close();
  });

  it('lose members, and are deleted after a question', async () => {
    await at.page.getByRole('button', { name: `Remove ${MEMBER}` }).click();
    await pressInDialog(at.page, 'Remove');
    await at.page.getByText('It has no members').waitFor();
    await act(at, 'Delete');
    await pressInDialog(at.page, 'Delete');
    await at.page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
    await rowOf(at.page, NAME).waitFor({ state: 'detached' });
  });
});
