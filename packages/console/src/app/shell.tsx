import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { isOutdated } from '../api/client';
import { callerQuery, executionsQuery, slowPollMs } from '../api/queries';
import { errorText } from '../ui/values/format';
import { Icon, Logo } from '../ui/icon';
import { MenuButton, type MenuEntry } from '../ui/overlays/menu';
import { notify } from '../ui/overlays/toast';
import { createStore, useStore } from '../ui/store';
import { EXECUTIONS, OVERVIEW, type Place, usePlaces, WORKFLOWS } from './places';
import { currentProject, isFiltered } from './project';
import { ProjectSwitcher } from './project-switcher';
import { isSearchOpen, useShortcuts } from './shortcuts';
import { signOut } from './sign-out';

const SearchDialog = lazy(() => import('./search-dialog').then(({ SearchDialog: dialog }) => ({ default: dialog })));
const KeysDialog = lazy(() => import('./keys-dialog').then(({ KeysDialog: dialog }) => ({ default: dialog })));

const leave = (): void =>
  void signOut().catch((error: unknown) => notify('You are still signed in', 'error', errorText(error)));

const NavLink = ({
  to,
  label,
  icon,
  count,
  project,
}: Place & { count?: string | undefined; project: string | undefined }) => (
  <Link
    to={to}
    search={project !== undefined && isFiltered(to) ? { project } : {}}
    activeOptions={{ exact: to === '/', includeSearch: false }}
    activeProps={{ 'aria-current': 'page' }}
  >
    <Icon name={icon} />
    <span className="t">{label}</span>
    {count !== undefined && <span className="count">{count}</span>}
  </Link>
);

/** The number of runs in progress, from the first page of their list. */
const useRunning = (): string | undefined => {
  const { data } = useInfiniteQuery({ ...executionsQuery({ status: 'running' }), refetchInterval: slowPollMs });
  const page = data?.pages[0];
  if (page === undefined || page.data.length === 0) return undefined;
  return `${page.data.length}${page.nextCursor === null ? '' : '+'} running`;
};

const Sidebar = ({ account }: { account: readonly MenuEntry[] }) => {
  const email = useQuery(callerQuery).data?.user.email ?? '';
  const running = useRunning();
  const project = useStore(currentProject);
  return (
    <nav className="side" aria-label="Main">
      <Link className="brand" to="/" aria-label="Weft">
        <Logo />
        <span>Weft</span>
      </Link>
      <ProjectSwitcher />
      {usePlaces().map(({ title, places }) => (
        <div key={title} className="nav">
          <h2>{title}</h2>
          {places.map((place) => (
            <NavLink key={place.to} {...place} project={project} count={place === EXECUTIONS ? running : undefined} />
          ))}
        </div>
      ))}
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

const TABS: readonly Place[] = [OVERVIEW, WORKFLOWS, EXECUTIONS];

const TabBar = ({ entries }: { entries: readonly MenuEntry[] }) => (
  <nav className="tabbar" aria-label="Main, small">
    {TABS.map(({ to, label, icon }) => (
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
    <MenuButton className="more" entries={entries}>
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

/** True if this page has shown a sign-in, an invitation or the set-up: their forms had the focus, and are gone. */
export const isSignInShown = createStore(false);

/** After a navigation, keyboard and screen reader users continue at the new page. */
const useFocusOnNavigation = (): React.RefObject<HTMLElement | null> => {
  const main = useRef<HTMLElement>(null);
  const path = useRouterState({ select: ({ location: { pathname } }) => pathname });
  const first = useRef(path);
  useEffect(() => {
    if (isSignInShown.get()) main.current?.focus();
  }, []);
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
  const navigate = useNavigate();
  const isRail = useRouterState({
    select: ({ location: { pathname } }) => /\/(?:executions|workflows)\/./.test(pathname),
  });
  const groups = usePlaces();
  useShortcuts(() => setHelpOpen(true));
  const account: readonly MenuEntry[] = [
    { label: 'Search', icon: 'search', act: () => isSearchOpen.set(true) },
    { label: 'Account', icon: 'settings', act: () => void navigate({ to: '/account' }) },
    { label: 'Keyboard shortcuts', icon: 'zap', act: () => setHelpOpen(true) },
    { label: 'API reference', icon: 'file', act: () => location.assign('/docs/') },
    { label: 'Sign out', icon: 'signOut', act: leave },
  ];
  // In a narrow window, the menu has the screens that are not tabs.
  const others = groups
    .flatMap(({ places }) => places)
    .filter((place) => !TABS.includes(place))
    .map(({ to, label, icon }): MenuEntry => ({ label, icon, act: () => void navigate({ to }) }));
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
      <TabBar entries={[...others, ...account]} />
      <Suspense>
        {isSearching && <SearchDialog close={() => isSearchOpen.set(false)} />}
        {isHelpOpen && <KeysDialog close={() => setHelpOpen(false)} />}
      </Suspense>
    </div>
  );
};
