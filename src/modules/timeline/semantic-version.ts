import { SEMVER_CHANGES, type SemVerChange } from './change-event.js';

/** The largest of several changes. */
export function largest(changes: readonly SemVerChange[]): SemVerChange {
  const rank = changes.reduce((most, change) => Math.max(most, SEMVER_CHANGES.indexOf(change)), 0);
  return SEMVER_CHANGES[rank] ?? 'NONE';
}

/** Counts a version up: the first change makes 0.0.0, and a larger one later sets the smaller numbers back. */
export class SemanticVersion {
  private major = 0;
  private minor = 0;
  private patch = 0;
  private begun = false;

  apply(change: SemVerChange): void {
    if (!this.begun) {
      this.begun = true;
      return;
    }
    if (change === 'MAJOR') [this.major, this.minor, this.patch] = [this.major + 1, 0, 0];
    if (change === 'MINOR') [this.minor, this.patch] = [this.minor + 1, 0];
    if (change === 'PATCH') this.patch += 1;
  }

  /** As clients know it: marked as computed, since no client gave this version. */
  toString(): string {
    return `${this.major}.${this.minor}.${this.patch}-computed`;
  }
}
