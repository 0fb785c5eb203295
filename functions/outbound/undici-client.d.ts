// Types for the one module of undici in use: its whole index would double every bundle that sends requests.
declare module 'undici/lib/dispatcher/client.js' {
  import { Client } from 'undici';
  export = Client;
}
