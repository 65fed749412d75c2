const ANY = '*';
const DAY_MS = 86_400_000;

/** How much is kept of an aspect; what is left out sets no limit. */
export interface RetentionRule {
  /** How many versions, the latest one included. */
  readonly versions?: number | undefined;
  /** How old a version may be. */
  readonly ageMs?: number | undefined;
}

/** One policy as the store has it: entity type and aspect may be `*`. */
export interface RetentionPolicyValue {
  readonly entityName: string;
  readonly aspectName: string;
  readonly retention: {
    readonly version?: { readonly maxVersions: number } | undefined;
    readonly time?: { readonly maxAgeInSeconds: number } | undefined;
  };
}

/** Which rule holds for which aspect: the policy that names it most closely, and the configuration where none does. */
export class RetentionRules {
  private readonly byKey = new Map<string, RetentionRule>();

  constructor(
    policies: readonly RetentionPolicyValue[],
    private readonly otherwise: RetentionRule,
  ) {
    for (const { entityName, aspectName, retention } of policies) {
      const { version, time } = retention;
      this.byKey.set(keyOf(entityName, aspectName), {
        versions: positive(version?.maxVersions),
        ageMs: positive(time && time.maxAgeInSeconds * 1000),
      });
    }
  }

  /** Whether there is a limit of any kind. */
  get any(): boolean {
    return [...this.byKey.values(), this.otherwise].some(isLimit);
  }

  /** The rule that holds; undefined where everything is kept. */
  of(entityType: string, aspect: string): RetentionRule | undefined {
    const found =
      this.byKey.get(keyOf(entityType, aspect)) ??
      this.byKey.get(keyOf(entityType, ANY)) ??
      this.byKey.get(keyOf(ANY, aspect)) ??
      this.byKey.get(keyOf(ANY, ANY)) ??
      this.otherwise;
    return isLimit(found) ? found : undefined;
  }
}

/** The rule of two settings, of which 0 sets no limit. */
export function ruleOf(versions: number, days: number): RetentionRule {
  return { versions: positive(versions), ageMs: positive(days * DAY_MS) };
}

function keyOf(entityType: string, aspect: string): string {
  return `${entityType} ${aspect}`;
}

function isLimit({ versions, ageMs }: RetentionRule): boolean {
  return versions !== undefined || ageMs !== undefined;
}

/** Limits that would leave nothing are none: an import may bring what a write is refused with. */
function positive(limit: number | undefined): number | undefined {
  return limit !== undefined && limit > 0 ? limit : undefined;
}
