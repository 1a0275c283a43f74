import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { callPage, isOutdated } from '../api/client';
import { callerQuery, executionsQuery, useMay } from '../api/queries';
import { errorText } from '../ui/format';
import { Icon, type IconName, Logo } from '../ui/icon';
import { MenuButton, type MenuEntry } from '../ui/menu';
import { notify } from '../ui/toast';
import { useStore } from '../ui/store';
import { eraseWork } from './erase';
import { isSearchOpen, useShortcuts } from './shortcuts';

const SearchDialog = lazy(() => import('./search-dialog').then(({ SearchDialog: dialog }) => ({ default: dialog })));
const KeysDialog = lazy(() => import('./keys-dialog').then(({ KeysDialog: dialog }) => ({ default: dialog })));

interface Place {
  readonly to: '/' | '/workflows' | '/executions' | '/status';
  readonly label: string;
  readonly icon: IconName;
}

const OVERVIEW: Place = { to: '/', label: 'Overview', icon: 'home' };
const EXECUTIONS: Place = { to: '/executions', label: 'Executions', icon: 'runs' };
const WORKFLOWS: Place = { to: '/workflows', label: 'Workflows', icon: 'workflow' };
const STATUS: Place = { to: '/status', label: 'Status', icon: 'gauge' };

/** Ends the session and erases everything that this browser holds. */
const signOut = async (): Promise<void> => {
  try {
    await callPage('DELETE', '/session');
  } catch (error) {
    return notify('You are still signed in', 'error', errorText(error));
  }
  await eraseWork();
  // A fresh page: nothing of the session stays in memory.
  location.assign('/console/');
};

const NavLink = ({ to, label, icon, count }: Place & { count?: string | undefined }) => (
  <Link to={to} activeOptions={{ exact: to === '/', includeSearch: false }} activeProps={{ 'aria-current': 'page' }}>
    <Icon name={icon} />
    <span className="t">{label}</span>
    {count !== undefined && <span className="count">{count}</span>}
  </Link>
);

/** The number of runs in progress, from the first page of their list. */
const useRunning = (): string | undefined => {
  const { data } = useInfiniteQuery({ ...executionsQuery({ status: 'running' }), refetchInterval: 5_000 });
  const page = data?.pages[0];
  if (page === undefined || page.data.length === 0) return undefined;
  return `${page.data.length}${page.nextCursor === null ? '' : '+'} running`;
};

const Sidebar = ({ account }: { account: readonly MenuEntry[] }) => {
  const email = useQuery(callerQuery).data?.user.email ?? '';
  const isManager = useMay('audit:read');
  return (
    <nav className="side" aria-label="Main">
      <Link className="brand" to="/" aria-label="Weft">
        <Logo />
        <span>Weft</span>
      </Link>
      <div className="nav">
        <h2>Operate</h2>
        <NavLink {...OVERVIEW} />
        <NavLink {...EXECUTIONS} count={useRunning()} />
      </div>
      <div className="nav">
        <h2>Build</h2>
        <NavLink {...WORKFLOWS} />
      </div>
      <div className="nav">
        <h2>Manage</h2>
        {isManager && <NavLink {...STATUS} />}
        <a href="/settings/">
          <Icon name="settings" />
          <span className="t">Settings</span>
        </a>
      </div>
      <div className="nav side-end">
        <button type="button" onClick={() => isSearchOpen.set(true)}>
          <Icon name="search" />
          <span className="t grow">Search</span>
          <kbd>Ctrl K</kbd>
        </button>
        <MenuButton className="account" entries={account}>
          <span className="avatar" aria-hidden="true" data-initials={email.slice(0, 2).toUpperCase()} />
          <span className="sr">Account</span>
          <span className="t clip">{email}</span>
        </MenuButton>
      </div>
    </nav>
  );
};

const TabBar = ({ account }: { account: readonly MenuEntry[] }) => (
  <nav className="tabbar" aria-label="Main, small">
    {[OVERVIEW, WORKFLOWS, EXECUTIONS].map(({ to, label, icon }) => (
      <Link
        key={to}
        to={to}
        activeOptions={{ exact: to === '/', includeSearch: false }}
        activeProps={{ 'aria-current': 'page' }}
      >
        <Icon name={icon} size={20} />
        {label}
      </Link>
    ))}
    <MenuButton className="more" entries={account}>
      <Icon name="more" size={20} />
      More
    </MenuButton>
  </nav>
);

const Outdated = () =>
  useStore(isOutdated) && (
    <div className="notice" role="status">
      <Icon name="alert" />
      <span className="grow">A new release of the console is available. Reload to use it.</span>
      <button type="button" className="btn sm" onClick={() => location.reload()}>
        Reload
      </button>
    </div>
  );

/** After a navigation, keyboard and screen reader users continue at the new page. */
const useFocusOnNavigation = (): React.RefObject<HTMLElement | null> => {
  const main = useRef<HTMLElement>(null);
  const path = useRouterState({ select: ({ location: { pathname } }) => pathname });
  const first = useRef(path);
  useEffect(() => {
    if (first.current === path) return;
    first.current = path;
    main.current?.focus();
  }, [path]);
  return main;
};

/** Navigation around every screen. */
export const Shell = () => {
  const [isHelpOpen, setHelpOpen] = useState(false);
  const isSearching = useStore(isSearchOpen);
  const main = useFocusOnNavigation();
  const isRail = useRouterState({
    select: ({ location: { pathname } }) => /\/(?:executions|workflows)\/./.test(pathname),
  });
  const isManager = useMay('audit:read');
  useShortcuts(() => setHelpOpen(true));
  const account: readonly MenuEntry[] = [
    { label: 'Search', icon: 'search', act: () => isSearchOpen.set(true) },
    ...(isManager ? [{ label: 'Status', icon: 'gauge' as const, act: () => location.assign('/console/status') }] : []),
    { label: 'Settings', icon: 'settings', act: () => location.assign('/settings/') },
    { label: 'Keyboard shortcuts', icon: 'zap', act: () => setHelpOpen(true) },
    { label: 'API reference', icon: 'file', act: () => location.assign('/docs/') },
    { label: 'Sign out', icon: 'signOut', act: () => void signOut() },
  ];
  return (
    <div className={`shell${isRail ? ' rail' : ''}`}>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <Sidebar account={account} />
      <main className="main" id="main" ref={main} tabIndex={-1}>
        <Outdated />
        <Outlet />
      </main>
      <TabBar account={account} />
      <Suspense>
        {isSearching && <SearchDialog close={() => isSearchOpen.set(false)} />}
        {isHelpOpen && <KeysDialog close={() => setHelpOpen(false)} />}
      </Suspense>
    </div>
  );
};
