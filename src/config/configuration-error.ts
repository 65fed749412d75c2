/** The environment asks for something that this service cannot do. Its message is meant for the person who starts it. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';

  constructor(readonly faults: readonly string[]) {
    super(
      faults.length === 1
        ? `the configuration is wrong: ${faults[0]}`
        : `the configuration is wrong:\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
    );
  }
}
