import { jsonPointer } from '../json/index.js';
import { refuse } from '../errors/index.js';
import { parseUrn, UrnError, type Urn } from '../urn/index.js';
import { withArticle } from '../with-article.js';

/**
 * The named parameters of one request of the aspect API: the JSON body of an action, or a query string. Reads them
 * by type and refuses what does not fit, with a pointer. `null` counts as absent; numbers and booleans may come as text.
 */
export class Parameters {
  private constructor(private readonly values: Readonly<Record<string, unknown>>) {}

  /** @param known when given, any other name is refused: a misspelt parameter must not be ignored. */
  static of(values: unknown, known?: readonly string[]): Parameters {
    if (typeof values !== 'object' || values === null || Array.isArray(values)) {
      throw refuse('PARAMETER_INVALID', 'the body must be a JSON object of parameters', '');
    }
    const unknownName = known && Object.keys(values).find((name) => !known.includes(name));
    if (unknownName !== undefined) {
      throw refuse(
        'PARAMETER_INVALID',
        known?.length === 0
          ? `unknown parameter "${unknownName}": this operation takes none`
          : `unknown parameter "${unknownName}", known are ${known?.join(', ')}`,
        jsonPointer([unknownName]),
      );
    }
    return new Parameters(values as Record<string, unknown>);
  }

  /** The value as it came; undefined when absent or null. */
  get(name: string): unknown {
    return Object.hasOwn(this.values, name) ? (this.values[name] ?? undefined) : undefined;
  }

  /** A text that must be there and must not be empty. */
  text(name: string): string {
    const text = this.optionalText(name);
    if (text === undefined || text === '') {
      throw refuse('PARAMETER_MISSING', `the parameter "${name}" is missing`, jsonPointer([name]));
    }
    return text;
  }

  optionalText(name: string): string | undefined {
    const value = this.get(name);
    if (value === undefined || typeof value === 'string') return value;
    throw invalid(name, Array.isArray(value) ? 'must be given once' : 'must be a string');
  }

  urn(name: string): Urn {
    return toUrn(this.text(name), jsonPointer([name]));
  }

  /** A whole number from `min` to `max`. */
  integer(name: string, min = 0, max = Number.MAX_SAFE_INTEGER): number | undefined {
    const value = this.get(name);
    if (value === undefined) return undefined;
    const number = typeof value === 'string' && /^-?\d{1,17}$/.test(value) ? Number(value) : value;
    if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < min || number > max) {
      throw invalid(name, `must be a whole number from ${min} to ${max}`);
    }
    return number;
  }

  /** Texts count in any case: Python writes `True`. */
  flag(name: string): boolean | undefined {
    const value = this.get(name);
    if (value === undefined || typeof value === 'boolean') return value;
    if (typeof value === 'string' && /^(true|false)$/i.test(value)) return /^true$/i.test(value);
    throw invalid(name, 'must be true or false');
  }

  /** One of a few words. */
  word<W extends string>(name: string, words: readonly W[]): W | undefined {
    const value = this.get(name);
    if (value === undefined) return undefined;
    const word = words.find((w) => w === value);
    if (word === undefined) throw invalid(name, `must be one of ${words.join(', ')}`);
    return word;
  }

  list(name: string): unknown[] {
    const value = this.get(name);
    if (value === undefined)
      throw refuse('PARAMETER_MISSING', `the parameter "${name}" is missing`, jsonPointer([name]));
    if (!Array.isArray(value)) throw invalid(name, 'must be an array');
    return value;
  }
}

/** The URN that `text` is; what is wrong with it otherwise, as an error of the request. */
export function toUrn(text: string, pointer?: string): Urn {
  try {
    return parseUrn(text);
  } catch (error) {
    if (error instanceof UrnError) throw refuse('URN_MALFORMED', error.message, pointer);
    throw error;
  }
}

/** @throws CatalogError PARAMETER_INVALID unless a URN is of an entity of the kind */
export function refuseOtherKind(urn: Urn, kind: string, pointer: string): void {
  if (urn.type !== kind)
    throw refuse(
      'PARAMETER_INVALID',
      `${urn.text} is the URN of ${withArticle(urn.type)}, not of ${withArticle(kind)}`,
      pointer,
    );
}

function invalid(name: string, rule: string) {
  return refuse('PARAMETER_INVALID', `the parameter "${name}" ${rule}`, jsonPointer([name]));
}
