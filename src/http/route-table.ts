/**
 * Which methods a path knows. Asked only after routing has failed, to tell "no such path" from "not this method";
 * the router itself cannot answer that.
 */
export class RouteTable {
  private readonly routes: Array<{ method: string; segments: readonly string[]; open: boolean }> = [];

  /** @param open whether no token is needed */
  add(methods: string | readonly string[], pattern: string, open = false): void {
    for (const method of [methods].flat()) this.routes.push({ method, segments: segmentsOf(pattern), open });
  }

  /** Whether there are routes that match the raw path, of which some need a token. */
  isGuarded(path: string): boolean {
    return this.matching(path).some(({ open }) => !open);
  }

  /** Methods of the routes that match the raw path, sorted. */
  methodsFor(path: string): string[] {
    return [...new Set(this.matching(path).map(({ method }) => method))].sort();
  }

  private matching(path: string) {
    const segments = segmentsOf(path);
    return this.routes.filter((route) => matches(route.segments, segments));
  }
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '');
}

function matches(pattern: readonly string[], path: readonly string[]): boolean {
  if (pattern.at(-1) === '*' ? path.length < pattern.length - 1 : path.length !== pattern.length)
    return false;
  return pattern.every((segment, i) => segment === '*' || segment.startsWith(':') || segment === path[i]);
}
