// What the clients of all AWS services share.

/**
 * A connection that died while the environment was frozen answers never: without a limit a call on it would last as long as the function
 * may. A call that is cut off is tried again by the SDK.
 */
export const clientSettings = {
  requestHandler: { connectionTimeout: 1000, requestTimeout: 5000, throwOnRequestTimeout: true },
};
