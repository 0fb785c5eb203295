// The switch between the host and its functions that `--allow-local-callbacks` sets (rules.md: local 5).

/** Variables for every function that may call loopback. Bundles for AWS have no code that reads them. */
export const localCallbacks = { LOCAL_CALLBACKS: 'allowed' } as const;
