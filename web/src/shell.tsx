import { Link, Outlet } from '@tanstack/react-router';
import { SERVICE } from './api.js';
import { SearchBox } from './search-box.js';
import { SignedIn, useSession } from './session.js';

/** What is around each page. */
export function Shell() {
  return (
    <SignedIn>
      <a
        className="skip"
        href="#content"
        onClick={(event) => {
          // The fragment of the address is the place in the application.
          event.preventDefault();
          document.getElementById('content')?.focus();
        }}
      >
        To the content
      </a>
      <Header />
      <nav className="places" aria-label="Places">
        <Link to="/browse">Browse</Link>
        <Link to="/glossary">Glossary</Link>
        <Link to="/domains">Domains</Link>
        <Link to="/properties">Structured properties</Link>
        <Link to="/model">Model</Link>
      </nav>
      <main id="content" tabIndex={-1}>
        <Outlet />
      </main>
      <footer>
        <a href={SERVICE.href}>First page</a>
        <a href={new URL('graphiql', SERVICE).href}>GraphQL playground</a>
        <a href={new URL('openapi/swagger-ui', SERVICE).href}>OpenAPI explorer</a>
        <span className="quiet">Version {VERSION}</span>
      </footer>
    </SignedIn>
  );
}

function Header() {
  const { user, signOut } = useSession();
  return (
    <header className="bar">
      <Link to="/" className="brand" aria-label="Metadata catalog: search">
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="M3 3h10v2.5H3zm0 4h10v2.5H3zm0 4h6v2.5H3z" />
        </svg>
        <span>Catalog</span>
      </Link>
      <SearchBox />
      <div className="user">
        <span className="quiet">{user}</span>
        <button onClick={signOut}>Sign out</button>
      </div>
    </header>
  );
}
