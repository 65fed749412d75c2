/** The framework is loaded when there is something to say: commands that only read start without it. */
export function lazyLog(level: 'error' | 'warn' | 'log', message: string, context = 'Database'): void {
  void import('@nestjs/common').then(({ Logger }) => {
    new Logger(context)[level](message);
  });
}
