// Headers that parts of the service send to each other, not part of the published contract.

/** What the door for agents shows to a stage's firewall, so that it does not count what the door asks of the API. */
export const FIREWALL_PASS = 'X-Firewall-Pass';
