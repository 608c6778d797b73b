/** Around a call: `runtime.create`, `networking.createPort`, `database.transaction`, … Either may throw, or never come back. */
export interface Watch {
  before?(call: string): void | Promise<void>;
  after?(call: string): void | Promise<void>;
}

/** The same port, with the watch of the moment around each of its methods that answers a promise. */
export function watchedPort<T extends object>(name: string, port: T, watch: () => Watch): T {
  return new Proxy(port, {
    get(target, member) {
      const value: unknown = Reflect.get(target, member, target);
      // A port of its own: `runtime.capsules.create`.
      if (member === 'capsules' && typeof value === 'object' && value !== null) return watchedPort(`${name}.capsules`, value, watch);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        const call = `${name}.${String(member)}`;
        const { before, after } = watch();
        if (!before && !after) return value.apply(target, args);
        return (async () => {
          await before?.(call);
          const answer: unknown = await value.apply(target, args);
          await after?.(call);
          return answer;
        })();
      };
    },
  });
}
