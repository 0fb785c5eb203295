// The service's own reckoning of due times: what the console shows is when the service acts. Loaded with the form only.
export { duesAfter, isPattern, isZone } from '../../../functions/domain/monitors/due-times.ts';
