import type { DiscoveryService } from '@nestjs/core';

/**
 * Every provider of the application that is a `type`, in the order of their modules. How modules meet at the
 * extension points of the kernel without importing each other. To be asked once all modules stand (onModuleInit).
 */
export function discovered<T>(discovery: DiscoveryService, type: abstract new (...args: never[]) => T): T[] {
  const found = new Set<T>();
  for (const { instance } of discovery.getProviders()) {
    if (instance instanceof type) found.add(instance);
  }
  return [...found];
}
