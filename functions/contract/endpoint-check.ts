// What one small call to an endpoint has shown: the banner and `admin model check` print it (rules.md: models 11).

export interface EndpointCheck {
  name: string;
  answers: boolean;
  /** What the provider said instead of an answer. */
  provider?: { status_code?: number | undefined; message: string };
  /** How JSON is asked for; absent of an embedding. */
  structured?: 'json_schema' | 'json_object' | 'prompt';
  /** Whether its reply reported what was used: without that, costs are not counted. */
  usage: boolean;
  context_tokens: number;
  /** Of an embedding that answers: the length of its vectors. */
  dimensions?: number;
}
