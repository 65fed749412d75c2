import type { DiscoveryService } from '@nestjs/core';

/**
 * The providers of the application that are a `type`, in the order of their modules. By this, modules meet at the
 * extension points of the kernel without importing each other. Call it once all modules are initialised (onModuleInit).
 */
export function discovered<T>(discovery: DiscoveryService, type: abstract new (...args: never[]) => T): T[] {
  const found = new Set<T>();
  for (const { instance } of discovery.getProviders()) {
    if (instance instanceof type) found.add(instance);
  }
  return [...found];
}
