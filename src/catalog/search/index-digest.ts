import { createHash } from 'node:crypto';

/** A URN and the sequence of the state that is (or was) indexed under it. */
export interface IndexedVersion {
  urn: string;
  sequence: number;
}

export interface BucketDigest {
  count: number;
  /** Hexadecimal; equal for equal sets of versions, whatever their order. */
  sum: string;
}

/** A digest as plain data. */
export interface DigestData {
  counts: Uint32Array<ArrayBuffer>;
  sums: BigUint64Array<ArrayBuffer>;
}

/**
 * Sums over buckets of URNs, the same function over the store and over the index. Where the sums of a bucket
 * differ, something in it does.
 */
export class IndexDigest {
  constructor(
    readonly buckets: number,
    private readonly counts = new Uint32Array(buckets),
    private readonly sums = new BigUint64Array(buckets),
  ) {
    if (!Number.isInteger(buckets) || buckets < 1 || buckets > 65_536) {
      throw new RangeError('the number of buckets is a whole number from 1 to 65536');
    }
  }

  /** The digest of which {@link data} told elsewhere. */
  static of({ counts, sums }: DigestData): IndexDigest {
    return new IndexDigest(counts.length, counts, sums);
  }

  /** All that there is to it, to be sent to another thread. */
  get data(): DigestData {
    return { counts: this.counts, sums: this.sums };
  }

  add({ urn, sequence }: IndexedVersion): void {
    const hash = createHash('sha256').update(`${sequence} ${urn}`).digest();
    const bucket = bucketOf(urn, this.buckets);
    this.counts[bucket]! += 1;
    // A sum, not an exclusive or: the same version twice must show. The array wraps at 64 bits.
    this.sums[bucket]! += hash.readBigUInt64LE(0);
  }

  bucket(index: number): BucketDigest {
    return { count: this.counts[index] ?? 0, sum: (this.sums[index] ?? 0n).toString(16).padStart(16, '0') };
  }

  /** Buckets in which the other one differs. */
  differing(other: IndexDigest): number[] {
    if (other.buckets !== this.buckets) throw new RangeError('the digests have different numbers of buckets');
    const found: number[] = [];
    for (let i = 0; i < this.buckets; i++) {
      if (this.counts[i] !== other.counts[i] || this.sums[i] !== other.sums[i]) found.push(i);
    }
    return found;
  }
}

/** The bucket of a URN. */
export function bucketOf(urn: string, buckets: number): number {
  return createHash('sha256').update(urn).digest().readUInt32LE(0) % buckets;
}
