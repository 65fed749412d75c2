import { ModelError, type ModelProblem } from './model-error.js';
import { readSource, sourceFolders, type ModelDocument } from './model-files.js';
import { Model } from './model.js';

/**
 * The model files below a source root, parsed and checked, every schema compiled once: what the build writes as
 * one JSON for `Model.load`. `nameOf` turns a path into the name that problems are reported under.
 * @throws ModelError
 */
export function bundleModel(sourceRoot: string, nameOf: (file: string) => string): ModelDocument[] {
  const problems: ModelProblem[] = [];
  const documents = readSource({ folders: sourceFolders(sourceRoot) }, problems);
  const model = Model.fromDocuments(documents, 'refuse', problems);
  problems.push(...documents.flatMap((document) => model.schemaProblems(document)));
  if (problems.length > 0) throw new ModelError(problems);
  return documents.map(({ file, content }) => ({ file: nameOf(file), content }));
}
