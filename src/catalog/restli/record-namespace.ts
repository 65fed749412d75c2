/** The namespace in front of the record names that the service itself writes (`CATALOG_RECORD_NAMESPACE`). */
export class RecordNamespace {
  constructor(readonly prefix: string) {}

  /** The fully qualified name of a record of the model. */
  of(record: string): string {
    return `${this.prefix}.${record}`;
  }
}
