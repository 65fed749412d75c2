/**
 * Which methods a path knows. Asked only after routing has failed, to tell "no such path" from "not this method";
 * the router itself cannot answer that.
 */
export class RouteTable {
  private readonly routes: Array<{ method: string; segments: readonly string[] }> = [];

  add(methods: string | readonly string[], pattern: string): void {
    for (const method of [methods].flat()) this.routes.push({ method, segments: segmentsOf(pattern) });
  }

  /** Methods of the routes that match the raw path, sorted. */
  methodsFor(path: string): string[] {
    const segments = segmentsOf(path);
    const found = this.routes
      .filter((route) => matches(route.segments, segments))
      .map(({ method }) => method);
    return [...new Set(found)].sort();
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
