// What the clients of all AWS services share.

/**
 * A connection that died while the environment was frozen answers never: without a limit a call on it would last as long as the function
 * may. A call that is cut off is tried again by the SDK. The silence of a socket counts, not the wait for a free one: where many requests
 * share a process, that wait is no sign of trouble.
 */
export const clientSettings = {
  requestHandler: { socketTimeout: 5000, requestTimeout: 30_000, throwOnRequestTimeout: true },
};
