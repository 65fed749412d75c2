/** One thing wrong with a model file. */
export interface ModelProblem {
  /** The file, as it was given to the loader. */
  readonly file: string;
  /** JSON pointer into the file, or line and column where there is no document to point into. */
  readonly place: string;
  readonly reason: string;
}

/** Thrown when the model cannot be used; holds every problem found, not only the first. */
export class ModelError extends Error {
  override readonly name = 'ModelError';

  constructor(readonly problems: readonly ModelProblem[]) {
    super(
      [
        `the model has ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}:`,
        ...problems.map((p) => `  ${p.file} ${p.place}: ${p.reason}`),
      ].join('\n'),
    );
  }
}
